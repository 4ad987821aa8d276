// macos: integer literal '300' overflows when stored into 'Int8'
let number: Int8 = 300

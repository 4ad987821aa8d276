public import StorefrontDomain

extension FileStore: CartStorage where Value == Cart {}
extension FileStore: CartClosureStorage where Value == Cart {}
extension FileStore: ProfileDraftStorage where Value == Profile.Draft {}
extension FileStore: ProfileDraftClosureStorage where Value == Profile.Draft {}

public import StorefrontDomain

extension FileStore: CartStorage where Value == SavedCart {}
extension FileStore: CartClosureStorage where Value == SavedCart {}
extension FileStore: ProfileDraftStorage where Value == SavedProfileDraft {}
extension FileStore: ProfileDraftClosureStorage where Value == SavedProfileDraft {}

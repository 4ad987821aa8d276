internal import Domain

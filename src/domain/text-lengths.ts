/** Maximum lengths in characters, the same for `/v1`, the admin socket and the pages. */
export const COMPANY_NAME_LENGTH = 200
export const CERTIFICATE_LABEL_LENGTH = 200
/** Of the subject or issuer of a certificate, and of its serial number. */
export const CERTIFICATE_NAME_LENGTH = 1000
export const DEVICE_LABEL_LENGTH = 200
export const PREMISES_ADDRESS_LENGTH = 500
export const USER_NAME_LENGTH = 200
export const PASSWORD_LENGTH = 1000

/** Texts of sales and their configuration; the limits are those of the CIS schema. */
export const SPECIAL_PURPOSE_LENGTH = 1000
export const ACTIVITY_LENGTH = 200
export const PARAGON_NUMBER_LENGTH = 100
export const TAX_NAME_LENGTH = 100
/** How many taxes of a kind, or fees, a sale has; more than any receipt shows, and few enough for one message. */
export const TAX_LINES = 100
export const ITEMS = 100
export const ITEM_NAME_LENGTH = 200
/** Of a part of a company's address, such as its street. */
export const ADDRESS_PART_LENGTH = 200
/** What was wrong with a sale, in words; what the tax authority answered is archived beside it. */
export const FAULT_LENGTH = 2000

/** Of the name that an operator's pages show. */
export const BRAND_NAME_LENGTH = 60
/** Of what another machine says of an error. */
export const TOLD_LENGTH = 500

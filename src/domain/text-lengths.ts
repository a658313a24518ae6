/** Maximum lengths in characters, the same for `/v1`, the admin socket and the pages. */
export const COMPANY_NAME_LENGTH = 200
export const CERTIFICATE_LABEL_LENGTH = 200
export const DEVICE_LABEL_LENGTH = 200
export const PREMISES_ADDRESS_LENGTH = 500
export const USER_NAME_LENGTH = 200
export const PASSWORD_LENGTH = 1000

/** Texts of sales and their configuration; the limits are those of the CIS schema. */
export const SPECIAL_PURPOSE_LENGTH = 1000
export const PARAGON_NUMBER_LENGTH = 100
export const TAX_NAME_LENGTH = 100

/** Of the name that an operator's pages show. */
export const BRAND_NAME_LENGTH = 60

/** Of a company and of a device: only an active one sells. */
export const ACTIVE_STATUSES = ['active', 'suspended', 'archived'] as const
export type ActiveStatus = (typeof ACTIVE_STATUSES)[number]

/** Of a device's ISU number; `mismatch`: the tax authority knows another one. */
export const ISU_STATUSES = ['pending', 'assigned', 'mismatch'] as const
export type IsuStatus = (typeof ISU_STATUSES)[number]

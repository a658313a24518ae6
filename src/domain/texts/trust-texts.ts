import type { Mode } from '../sale/sale.ts'
import type { Both } from './both.ts'

/** How the CA certificates of the tax authority get here. */
export const bringTrust = (mode: Mode): Both => ({
  en: `fisk trust fetch --mode ${mode}, or without a network: fisk trust add --mode ${mode} FILE`,
  hr: `fisk trust fetch --mode ${mode}, ili bez mreže: fisk trust add --mode ${mode} FILE`,
})

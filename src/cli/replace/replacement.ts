import type { NewKeyView } from '../../contract/admin/access.ts'
import type { TakenOverView } from '../../contract/admin/replacement.ts'
import type { DeviceView } from '../../contract/v1/fleet.ts'
import type { Setup, SetupOptions, SetupResult } from '../setup/setup.ts'

export interface ReplaceOptions extends SetupOptions {
  /** CA to believe, PEM, where a balancer has its own certificate. */
  ca?: string
  highest?: string[]
  gap?: string
  /** So many minutes are waited for the office to upload the certificates. */
  waitCertificate?: string
}

export interface ReplaceSetup extends Setup {
  options: ReplaceOptions
}

/** A device that was taken over, as its firmware has to know it. */
export interface ReplacedDevice extends Pick<DeviceView, 'id' | 'label' | 'premises_code'> {
  /** The new API key of its firmware; null when this run made none. */
  key: NewKeyView | null
}

/** What `fisk replace --json` prints. */
export interface ReplaceResult
  extends Pick<SetupResult, 'steps' | 'ca_file' | 'ca_sha256' | 'base_urls' | 'authority' | 'can_sell' | 'problems'>,
    Pick<TakenOverView, 'numbers' | 'gap' | 'without_jir' | 'left_out' | 'last_seen_at'> {
  gateway: string
  server: string
  devices: ReplacedDevice[]
}

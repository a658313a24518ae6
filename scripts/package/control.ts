import type { ArchitectureName } from './architectures.ts'

export interface ControlFacts {
  version: string
  architecture: ArchitectureName
  /** What the compiled parts need. */
  libraries: readonly string[]
  installedKilobytes: number
}

export function controlOf({ version, architecture, libraries, installedKilobytes }: ControlFacts): string {
  const depends = [
    'init-system-helpers (>= 1.54)',
    'systemd | systemd-standalone-sysusers',
    'systemd | systemd-standalone-tmpfiles',
    ...libraries,
  ]
  return `Package: fiskd
Version: ${version}
Architecture: ${architecture}
Maintainer: The fiskd project <fiskd@localhost>
Section: net
Priority: optional
Depends: ${depends.join(', ')}
Recommends: bash-completion, chrony | systemd-timesyncd | ntpsec
Installed-Size: ${installedKilobytes}
Description: fiscalization daemon for self-service machines in Croatia
 Reports every sale of a vending machine to the Croatian tax authority (CIS)
 at the moment of sale: numbers it, computes the ZKI, signs, sends and stores
 it, and prints the receipt. Vending firmware posts sales to a local HTTPS
 interface; technicians use the command fisk.
`
}

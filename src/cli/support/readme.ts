const PARTS: [RegExp, string][] = [
  [/^doctor\./, 'what fisk doctor found'],
  [/^status\./, 'what fisk status said'],
  [/^versions/, 'versions of fisk, Node, system and kernel; the machine'],
  [/^environment/, 'variables of the command that made this bundle'],
  [/^fiskd\.env/, 'the configuration of the service'],
  [/^service/, 'what systemd knows of the service'],
  [/^backup-timer/, 'when backups were and will be made'],
  [/^log/, "the end of the service's log"],
  [/^(disks|mounts|memory)/, 'disks and memory'],
  [/^printer-lines/, 'the names of what printers may be connected to'],
  [/^fiskd\/audit/, 'the last 200 changes'],
  [/^fiskd\/invoices/, 'how the last 200 sales fared; no amounts, no JIR, no ZKI'],
  [/^fiskd\//, 'what fiskd knows of them'],
]

/** The README of a bundle, for the user who checks the bundle before sending it. */
export function readme(names: readonly string[], missing: readonly string[]): string {
  const lines = names.map((name) => `  ${name.padEnd(26)} ${PARTS.find(([part]) => part.test(name))?.[1] ?? ''}`)
  const lacks = missing.length === 0 ? '' : `\nNot in it:\n${missing.map((what) => `  ${what}\n`).join('')}`
  return `A bundle of fisk support-bundle, for the makers of fiskd

Look into it before you send it: these are plain texts.

Masked in all of them, the same one by the same mask: OIBs (OIB-1), names and
ids of companies (COMPANY-1, COMPANY-ID-1), users (USER-1), mail addresses
(MAIL-1), API keys (API-KEY-1). Taken out: passphrases, passwords, tokens,
cookies, private keys, names and passwords in URLs, postal addresses, header and
footer of receipts, comments and unknown variables of the configuration.
Left in: labels of devices and keys, premises codes, ISU numbers, serial
numbers of certificates, receipt numbers, network addresses.

${lines.join('\n')}
${lacks}`
}

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A way to make a sale without fiskd. */
export interface Way {
  name: string
  command: [program: string, ...args: string[]]
  /** Whether it checks the signature of the answer. */
  verifies: boolean
}

interface Tool {
  name: string
  program: string
  script: string
  /** Fails where something is missing. */
  probe: string[]
  /** What brings it. */
  packages: string
}

const TOOLS: Tool[] = [
  {
    name: 'Node, xml-crypto',
    program: process.execPath,
    script: 'xml-crypto.mjs',
    probe: ['--version'],
    packages: 'npm ci',
  },
  {
    name: 'Python, lxml and xmlsec',
    program: '/usr/bin/python3', // Debian's, for its packages are not seen by another
    script: 'python-xmlsec.py',
    probe: ['-c', 'import lxml, xmlsec, requests, zoneinfo'],
    packages: 'apt install python3-lxml python3-xmlsec python3-requests',
  },
  {
    name: 'PHP, openssl and DOM',
    program: 'php',
    script: 'php-openssl.php',
    probe: ['-r', 'exit(extension_loaded("dom") && extension_loaded("curl") && extension_loaded("openssl") ? 0 : 1);'],
    packages: 'apt install php-cli php-xml php-curl',
  },
]

/** Each way that this machine can go, and what the others would need. */
export function findWays(): { ways: Way[]; missing: string[] } {
  const can = ({ program, probe }: Tool) => spawnSync(program, probe, { stdio: 'ignore' }).status === 0
  const ways = TOOLS.filter(can).flatMap(({ name, program, script }) => {
    const command: Way['command'] = [program, fileURLToPath(new URL(`ways/${script}`, import.meta.url))]
    return [
      { name, command, verifies: false },
      { name: `${name}, verifying`, command, verifies: true },
    ]
  })
  const missing = TOOLS.filter((tool) => !can(tool)).map(({ name, packages }) => `${name}: ${packages}`)
  return { ways, missing }
}

import { setTimeout as pause } from 'node:timers/promises'
import { ENV_FILE, ip, LAN_ADDRESS, removeNamedLine } from './field.ts'
import type { Mending, Mistake, Typed } from './mistake.ts'

/** What a technician types when a machine does not answer; the status names the second command. */
const STATUS: Typed = { command: 'fisk status || true' }
const DOCTOR: Typed = { command: 'sudo fisk doctor || true' }
const LOOK = [STATUS, DOCTOR]

const RESTART: Mending = { command: /sudo systemctl restart fiskd/ }

/** The line that the screen names is corrected: here it goes. */
const CORRECT: Mending = { ...RESTART, hands: { what: 'the line that is named is removed', act: removeNamedLine } }

const broken = (title: string, line: string, cause: RegExp, more: Partial<Mistake> = {}): Mistake => ({
  title: `environment file: ${title}`,
  async make(field) {
    field.setEnv(line)
    await field.try('systemctl restart fiskd')
  },
  typed: LOOK,
  cause,
  mending: [CORRECT],
  ...more,
})

/** What keeps the service from running, or a person from reaching it. */
export const SERVICE_MISTAKES: Mistake[] = [
  {
    title: 'port held by another program',
    isShort: true,
    async make({ try: attempt, sh }) {
      await sh('systemctl stop fiskd')
      await sh(
        'setsid /usr/lib/fiskd/bin/node -e \'require("net").createServer().listen(8443, "127.0.0.1")\' >/dev/null 2>&1 &',
      )
      await pause(500)
      await attempt('systemctl start fiskd')
    },
    typed: LOOK,
    cause: /port 8443 is taken by process \d+ \(\/usr\/lib\/fiskd\/bin\/node -e/,
    mending: [{ command: /sudo kill \d+/ }, RESTART],
  },
  broken('a value that is none', 'FISKD_ROLE=gatway', /line \d+: FISKD_ROLE is "gatway": use gateway or server/, {
    isShort: true,
  }),
  broken('an address that is none', 'FISKD_LISTEN=8443', /line \d+: FISKD_LISTEN is "8443": use host:port/),
  broken(
    'half of a pair',
    'FISKD_TLS_CERT=/etc/fiskd/cert.pem',
    /FISKD_TLS_CERT and FISKD_TLS_KEY go together: set both or neither/,
    {
      mending: [
        {
          ...RESTART,
          hands: {
            what: 'the variable that is named is taken out of the file',
            act: async ({ edit }) => edit(ENV_FILE, (text) => text.replace(/^FISKD_TLS_CERT=.*\n/m, '')),
          },
        },
      ],
    },
  ),
  broken('a line that is no assignment', 'FISKD_LOG_LEVEL debug', /line \d+ is not NAME=value: it has no effect/),
  {
    title: 'environment file: a key that fiskd may not read',
    async make({ sh, setEnv, try: attempt }) {
      const names = '-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1'
      const files = '-keyout /root/own-key.pem -out /etc/fiskd/own-cert.pem'
      await sh(`openssl req -x509 -newkey rsa:2048 -nodes -days 30 ${names} ${files} 2>/dev/null`)
      await sh('chmod 600 /root/own-key.pem; chmod 644 /etc/fiskd/own-cert.pem')
      setEnv('FISKD_TLS_CERT=/etc/fiskd/own-cert.pem\nFISKD_TLS_KEY=/root/own-key.pem')
      await attempt('systemctl restart fiskd')
    },
    typed: LOOK,
    cause: /the user fiskd may not read \/root\/own-key\.pem, which is FISKD_TLS_KEY/,
    mending: [
      {
        command: /sudo install -o root -g fiskd -m 0640 \/root\/own-key\.pem \/etc\/fiskd\//,
      },
      {
        ...RESTART,
        hands: {
          what: 'that copy is named in FISKD_TLS_KEY',
          act: async ({ edit }) =>
            edit(ENV_FILE, (text) => text.replace('/root/own-key.pem', '/etc/fiskd/own-key.pem')),
        },
      },
    ],
    async mended({ sh, edit }) {
      await sh('fisk status')
      // The firmware of this trial trusts the certificate that fiskd makes.
      edit(ENV_FILE, (text) => text.replace(/^FISKD_TLS_.*\n/gm, ''))
      await sh('systemctl restart fiskd')
    },
  },
  {
    title: 'address of the LAN gone',
    async make({ setEnv, sh }) {
      setEnv(`FISKD_LISTEN=127.0.0.1:8443,${LAN_ADDRESS}:8443`)
      await sh('systemctl restart fiskd')
      ip('address', 'del', `${LAN_ADDRESS}/24`, 'dev', 'lan')
      ip('address', 'add', '10.77.0.2/24', 'dev', 'lan')
      await pause(12_000)
    },
    typed: LOOK,
    cause: new RegExp(`${LAN_ADDRESS.replaceAll('.', '\\.')}.*this machine does not have this address now`),
    mending: [{ command: /sudo fisk init --listen ADDRESS/, instead: { ADDRESS: '10.77.0.2' } }],
    async mended({ sh, sell, edit }) {
      await sell()
      await sh('fisk status')
      edit(ENV_FILE, (text) => text.replace(/^FISKD_LISTEN=.*\n/m, ''))
      ip('address', 'add', `${LAN_ADDRESS}/24`, 'dev', 'lan')
      await sh('systemctl restart fiskd')
    },
  },
  {
    title: 'not in the group fiskd',
    isShort: true,
    make: async ({ sh }) => void (await sh('useradd -m -s /bin/sh ana')),
    typed: [{ command: "su - ana -c 'fisk status'" }],
    cause: /ana may not open the socket of the daemon, \/run\/fiskd\/fiskd\.sock: only root and the group fiskd may/,
    mending: [{ command: /sudo usermod -aG fiskd ana/ }],
    // Signed in again.
    mended: async ({ sh }) => void (await sh("su - ana -c 'fisk status'")),
  },
  {
    title: 'fiskd typed by root on an installed machine',
    isShort: true,
    make: async () => {},
    typed: [{ command: 'fiskd' }],
    cause: /systemd runs fiskd on this machine; nothing was started/,
    mending: [{ command: /fisk status/ }],
  },
  {
    title: 'a second daemon holds the data',
    async make({ sh, try: attempt }) {
      await sh('systemctl stop fiskd')
      await sh(
        'FISKD_DATA_DIR=/var/lib/fiskd FISKD_SOCKET=/tmp/second.sock FISKD_LISTEN=127.0.0.1:8444 ' +
          'setsid setpriv --reuid=fiskd --regid=fiskd --init-groups fiskd >/dev/null 2>&1 &',
      )
      await sh('for i in $(seq 100); do [ -S /tmp/second.sock ] && exit 0; sleep 0.2; done; exit 1')
      await attempt('systemctl start fiskd')
    },
    typed: LOOK,
    cause: /another fiskd, process \d+ \(.*\), uses \/var\/lib\/fiskd/,
    mending: [{ command: /sudo kill \d+/ }, RESTART],
  },
]

// Has a process not find what systemd-timesyncd touches when it has heard a time server.
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const { stat } = fs
fs.stat = (path, ...rest) =>
  String(path).includes('timesync') ? Promise.reject(new Error('there is none')) : stat(path, ...rest)
syncBuiltinESMExports()

// `fiskd` from its sources, where a test needs the program itself.
import { register } from 'tsx/esm/api'

register()
await import('../../src/daemon/main.ts')

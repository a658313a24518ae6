import { writeFileSync } from 'node:fs'
import { bundle } from './bundle.ts'
import { shippedNotices, textOf } from './package/notices.ts'

const { inputs } = await bundle()
// npm passes on the licences of the packages that it installs beside the bundle, but not of those in it.
writeFileSync('dist/third-party-notices.txt', textOf(shippedNotices(inputs)))

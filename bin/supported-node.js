// From 24.19 on Node aborts when it collects a statement of the SQLite driver, which may be in the middle of a sale.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const version = major * 100 + minor
if (version < 2019 || version > 2418) {
  console.error(`fiskd does not run on Node ${process.versions.node}: use 20.19 to 24.18, best of all 22.`)
  process.exit(2)
}

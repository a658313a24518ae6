import type { DashboardDeps, Pages } from '../page-routes.ts'
import { addDevicePages } from './add.ts'
import { devicePages } from './detail.ts'
import { importPages } from './import.ts'
import { isuTasksPage } from './isu.ts'
import { deviceListPage } from './list.ts'
import { deviceSettingsPages } from './settings.ts'

/** The machines: list, set-up, ISU numbers, settings and import. */
export function allDevicePages(pages: Pages, deps: DashboardDeps): void {
  deviceListPage(pages, deps)
  addDevicePages(pages, deps)
  isuTasksPage(pages, deps)
  importPages(pages, deps)
  devicePages(pages, deps)
  deviceSettingsPages(pages, deps)
}

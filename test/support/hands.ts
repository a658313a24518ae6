import type { Locator, Page } from 'playwright-core'

/** How a user works with a page. */
export interface Hands {
  /** Presses a link, a button or a summary that can be seen. */
  press(target: Locator): Promise<void>
  write(field: Locator, text: string): Promise<void>
  choose(field: Locator, option: string): Promise<void>
  tick(box: Locator): Promise<void>
}

export const mouse = (): Hands => ({
  press: (target) => visible(target).click(),
  write: (field, text) => visible(field).fill(text),
  choose,
  tick: (box) => visible(box).check(),
})

/** A finger on a screen; what it is put on must not lie under something that stays in place. */
export const finger = (): Hands => ({
  press: (target) => visible(target).tap(),
  async write(field, text) {
    await visible(field).tap()
    await visible(field).fill(text)
  },
  choose,
  tick: (box) => visible(box).tap(),
})

/** Where the focus is it must be seen, on each step of the way. */
export function keyboard(page: Page): Hands {
  async function reach(target: Locator) {
    await visible(target).waitFor()
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      if (await visible(target).evaluate(hasFocus)) return
      await page.keyboard.press('Tab')
      const unseen = await page.evaluate<string | null>(UNSEEN)
      if (unseen !== null) throw new Error(`nobody sees that ${unseen} has the focus`)
    }
    throw new Error(`${target} cannot be reached with the Tab key`)
  }
  return {
    async press(target) {
      await reach(target)
      await page.keyboard.press('Enter')
    },
    async write(field, text) {
      await reach(field)
      // Fields of dates and times have parts, in an order of the browser's own.
      await visible(field).fill(text)
    },
    async choose(field, option) {
      await reach(field)
      await choose(field, option)
    },
    async tick(box) {
      await reach(box)
      await page.keyboard.press('Space')
    },
  }
}

/** The browser's own menu. */
async function choose(field: Locator, option: string): Promise<void> {
  await visible(field).selectOption({ label: option })
}

const MOST_TABS = 300
const visible = (target: Locator) => target.filter({ visible: true }).first()

/** The sources have no types of a browser. */
const hasFocus = (element: unknown) =>
  (element as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement === element
const UNSEEN = `(() => {
  const { activeElement } = document
  // Chromium itself marks the parts of a date and of a time.
  if (activeElement === document.body || ['date', 'month', 'time'].includes(activeElement.type)) return null
  const box = activeElement.getBoundingClientRect()
  const isSeen = getComputedStyle(activeElement).outlineStyle !== 'none' && box.width > 0 && box.right > 0
  return isSeen ? null : activeElement.outerHTML.slice(0, 200)
})()`

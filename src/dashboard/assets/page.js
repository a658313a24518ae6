// What the pages do beyond htmx: asking before, sending once, dropping files, copying, choosing all rows, and saying when
// they are stale.

const dialog = document.getElementById('ask')
let agreed = null

// Says what will follow. The button that does it is named and looks as the one that was pressed.
function ask(form, button, consequence) {
  const yes = document.getElementById('ask-yes')
  document.getElementById('ask-title').textContent = button.getAttribute('aria-label') ?? button.textContent
  document.getElementById('ask-text').textContent = consequence
  yes.textContent = button.textContent
  yes.className = button.classList.contains('danger') ? 'danger' : 'primary'
  dialog.returnValue = ''
  dialog.onclose = () => {
    if (dialog.returnValue !== 'yes') return
    agreed = form
    form.requestSubmit(button)
  }
  dialog.showModal()
}

document.addEventListener('submit', (event) => {
  const form = event.target
  const consequence = event.submitter?.dataset.confirm ?? form.dataset.confirm
  if (consequence && form !== agreed) {
    event.preventDefault()
    const ticked = [...form.querySelectorAll('[name=companies]:checked')].map(({ labels }) =>
      labels[0].textContent.trim(),
    )
    ask(form, event.submitter, ticked.length > 0 ? `${consequence}: ${ticked.join(', ')}.` : consequence)
    return
  }
  agreed = null
  // The server takes a form once anyway; this shows that it was sent.
  if (form.method === 'post') {
    form.classList.add('sending')
    form.setAttribute('aria-busy', 'true')
    setTimeout(() => {
      for (const button of form.querySelectorAll('button')) button.disabled = true
    })
  }
})

// What was refused is where the next word is to be said: the first wrong field, or what the page says about the form.
const refused = document.querySelector('main [aria-invalid="true"], main .notice.bad[role="alert"]')
if (refused) {
  for (let around = refused.closest('details'); around; around = around.parentElement.closest('details'))
    around.open = true
  if (!refused.matches('input, select, textarea')) refused.tabIndex = -1
  refused.focus()
}

// Whoever comes back by the back button finds a form that can be sent.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form.sending')) {
    form.classList.remove('sending')
    form.removeAttribute('aria-busy')
    for (const button of form.querySelectorAll('button')) button.disabled = false
  }
})

// A slash leads to the search, unless somebody types.
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, select, textarea')) return
  event.preventDefault()
  document.getElementById('search-all')?.focus()
})

// A menu closes when something else is chosen, or by Esc, which gives the focus back.
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('details.drop[open]')) if (!menu.contains(target)) menu.open = false
})
document.addEventListener('keydown', ({ key, target }) => {
  const menu = key === 'Escape' && target.closest('details.drop[open]')
  if (!menu) return
  menu.open = false
  menu.querySelector('summary').focus()
})

// Nobody looks, or somebody reads what they have opened: it stays as it is.
document.addEventListener('htmx:confirm', (event) => {
  if (!event.target.classList.contains('auto')) return
  if (document.hidden || event.target.querySelector('details[open]')) event.preventDefault()
})

const show = (id, visible) => {
  const box = document.getElementById(id)
  if (box) box.hidden = !visible
}
document.addEventListener('htmx:afterRequest', (event) => {
  const { xhr, successful } = event.detail
  show('session-ended', xhr.status === 401)
  show('offline', !successful && xhr.status !== 401)
})

for (const drop of document.querySelectorAll('.drop-file')) {
  const input = drop.querySelector('input[type=file]')
  const over = (event) => {
    event.preventDefault()
    drop.classList.toggle('over', event.type === 'dragover')
  }
  drop.addEventListener('dragover', over)
  drop.addEventListener('dragleave', over)
  drop.addEventListener('drop', (event) => {
    over(event)
    if (event.dataTransfer.files.length > 0) input.files = event.dataTransfer.files
  })
}

document.addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]')
  if (!button) return
  const { textContent } = document.getElementById(button.dataset.copy)
  await navigator.clipboard.writeText(textContent.trim())
  button.textContent = document.body.dataset.copied
})

// Ticks every row of the page at once, with Shift those between two, and says how many there are.
for (const box of document.querySelectorAll('[data-choose-all]')) {
  const rows = () =>
    [...box.form.elements].filter(({ name, type }) => type === 'checkbox' && name === box.dataset.chooseAll)
  const follow = () => {
    box.checked = rows().every(({ checked }) => checked)
    said.textContent = `${said.dataset.chosen} ${rows().filter(({ checked }) => checked).length}`
  }
  const said = box.form.querySelector('[data-chosen]')
  let before = null
  box.closest('[hidden]').hidden = false
  box.form.addEventListener('click', ({ target, shiftKey }) => {
    const ends = [rows().indexOf(before), rows().indexOf(target)].sort((one, other) => one - other)
    if (ends[1] < 0) return
    if (shiftKey && ends[0] >= 0) for (const row of rows().slice(ends[0], ends[1])) row.checked = target.checked
    before = target
  })
  box.form.addEventListener('change', ({ target }) => {
    if (target === box) for (const row of rows()) row.checked = box.checked
    follow()
  })
}

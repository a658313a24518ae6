import type { Bound } from '../domain/bound.ts'
import { MAX_CHARACTERS, MAX_LINES } from '../domain/sale/receipt-style.ts'
import {
  ADDRESS_PART_LENGTH,
  BRAND_NAME_LENGTH,
  CERTIFICATE_LABEL_LENGTH,
  COMPANY_NAME_LENGTH,
  PARAGON_NUMBER_LENGTH,
  PASSWORD_LENGTH,
  SPECIAL_PURPOSE_LENGTH,
  TAX_NAME_LENGTH,
  USER_NAME_LENGTH,
} from '../domain/text-lengths.ts'
import { CERTIFICATE_FILE_BYTES, IMPORT_FILE_BYTES } from '../domain/upload.ts'
import { NOTE_LIMITS } from '../fiscal/machines/notes.ts'
import { TAG_LIMITS } from '../fiscal/machines/tags.ts'
import { VIEW_LIMITS } from '../fiscal/office/saved-views.ts'

const TOO_LARGE = '413 on a page'
const INVALID = '400 on a page'
const SAID = '422 beside the field'
const REFUSED = '400 invalid_request'

/** What browsers, and others who come to the pages, may send. */
export const DASHBOARD_BOUNDS = {
  form: { most: 2 * 1024 * 1024, of: 'bytes of a form', beyond: TOO_LARGE },
  // What was typed before may come along.
  signInForm: { most: 256 * 1024, of: 'bytes of the form of the sign-in', beyond: TOO_LARGE },
  // A form whose session has ended is read and offered again; a larger one is taken only from a user who is signed in.
  strangersForm: {
    most: 64 * 1024,
    of: 'bytes of any other form of somebody who is not signed in',
    beyond: '401 before it is read',
  },
  smallForm: { most: 4096, of: 'bytes of the form that signs out, or sets language and theme', beyond: TOO_LARGE },
  fields: { most: 200, of: 'fields of a form', beyond: INVALID },
  // Larger forms are urlencoded. A certificate goes to as many gateways as were ticked.
  uploadText: { most: 4096, of: 'bytes of a text beside a file', beyond: INVALID },
  uploadTexts: { most: 2000, of: 'texts beside a file', beyond: INVALID },
  uploadFiles: { most: 2, of: 'files of an upload', beyond: INVALID },
  strayFile: { most: 1024, of: 'bytes of a file that is sent where none is asked for', beyond: TOO_LARGE },
  // A file that is too large is still read, so that the page of the form can say so.
  certificateFile: { most: CERTIFICATE_FILE_BYTES, of: 'bytes of a certificate file', beyond: SAID },
  certificateFileRead: { most: 4 * 1024 * 1024, of: 'bytes of it that are read at all', beyond: TOO_LARGE },
  importFile: { most: IMPORT_FILE_BYTES, of: 'bytes of a list of devices', beyond: SAID },
  importFileRead: { most: 8 * 1024 * 1024, of: 'bytes of it that are read at all', beyond: TOO_LARGE },
  logoFileRead: { most: 1024 * 1024, of: 'bytes of the file of a logo that are read at all', beyond: TOO_LARGE },
  report: { most: 16 * 1024, of: 'bytes of a report of a browser (Content-Security-Policy)', beyond: TOO_LARGE },
  pathText: { most: 1000, of: 'characters of an id in a path', beyond: '414 without a page' },

  signInName: { most: USER_NAME_LENGTH, of: 'characters of the name of a sign-in in JSON', beyond: REFUSED },
  signInPassword: { most: PASSWORD_LENGTH, of: 'characters of the password of a sign-in in JSON', beyond: REFUSED },
  code: { most: 20, of: 'characters of the code of a second factor', beyond: REFUSED },
  userName: { most: USER_NAME_LENGTH, of: 'characters of the name of a new user', beyond: SAID },
  password: { most: PASSWORD_LENGTH, of: 'characters of a new password', beyond: SAID },
  brandName: { most: BRAND_NAME_LENGTH, of: "characters of the name on an operator's pages", beyond: SAID },
  companyName: { most: COMPANY_NAME_LENGTH, of: 'characters of the name of a company', beyond: SAID },
  seat: { most: ADDRESS_PART_LENGTH, of: 'characters of a part of the address of a company', beyond: SAID },
  tags: { most: TAG_LIMITS.ofDevice, of: 'groups of a device', beyond: SAID },
  tag: { most: TAG_LIMITS.characters, of: 'characters of the name of a group', beyond: SAID },
  note: { most: NOTE_LIMITS.note, of: 'characters of the note about a device', beyond: SAID },
  contact: { most: NOTE_LIMITS.contact, of: 'characters of the contact at its place', beyond: SAID },
  views: { most: VIEW_LIMITS.ofList, of: 'saved views of a user and a list', beyond: SAID },
  viewName: { most: VIEW_LIMITS.nameCharacters, of: 'characters of the name of a saved view', beyond: SAID },
  viewQuery: { most: VIEW_LIMITS.queryCharacters, of: 'characters of the filter of a saved view', beyond: SAID },
  certificateLabel: { most: CERTIFICATE_LABEL_LENGTH, of: 'characters of the label of a certificate', beyond: SAID },
  paperLines: { most: MAX_LINES, of: 'lines of the header or footer of a receipt', beyond: SAID },
  paperLine: { most: MAX_CHARACTERS, of: 'characters of such a line', beyond: SAID },
  taxName: { most: TAX_NAME_LENGTH, of: 'characters of the name of a fee or another tax', beyond: SAID },
  specialPurpose: { most: SPECIAL_PURPOSE_LENGTH, of: 'characters of `special_purpose`', beyond: SAID },
  paragonNumber: { most: PARAGON_NUMBER_LENGTH, of: 'characters of `paragon_number`', beyond: SAID },
} as const satisfies Record<string, Bound>

import { XmlElement, type XmlNode, XmlXPath } from 'libxml2-wasm'
import { FISCAL_NAMESPACE, SIGNATURE_NAMESPACE, SOAP_NAMESPACE } from '../namespaces.ts'
import { XmlRefusal } from './xml-reader.ts'

/** The prefixes that paths are written with, whatever prefixes a document uses. */
const PREFIXES = { soap: SOAP_NAMESPACE, ds: SIGNATURE_NAMESPACE, tns: FISCAL_NAMESPACE }

/** An XPath 1.0 expression, compiled once: to compile one takes longer than to follow it. */
const compile = (expression: string) => XmlXPath.compile(expression, PREFIXES)

/** @returns a function that tells whether a condition holds at an element */
export function condition(expression: string): (at: XmlElement) => boolean {
  const path = compile(`boolean(${expression})`)
  return (at) => at.eval(path) === true
}

/** @returns a function that gives the text of the first node found, empty where there is none */
export function textAt(expression: string): (at: XmlElement) => string {
  const path = compile(`string(${expression})`)
  return (at) => String(at.eval(path))
}

/** @returns a function that finds elements and attributes, in document order */
export function nodesAt(expression: string): (at: XmlElement) => XmlNode[] {
  const path = compile(expression)
  return (at) => at.find(path)
}

/** @returns a function that finds elements, in document order */
export function elementsAt(expression: string): (at: XmlElement) => XmlElement[] {
  const find = nodesAt(expression)
  return (at) => find(at).filter((node) => node instanceof XmlElement)
}

/** What must hold at an element, and what is wrong when it does not. */
export type Rule = readonly [expression: string, otherwise: string]

/**
 * All rules are asked in one question, and one by one only to tell which of them is broken.
 * @returns a function that throws XmlRefusal with the words of the first rule that does not hold
 */
export function requiring(...rules: Rule[]): (at: XmlElement) => void {
  const allHold = condition(rules.map(([expression]) => `boolean(${expression})`).join(' and '))
  const each = rules.map(([expression, otherwise]) => ({ holds: condition(expression), otherwise }))
  return (at) => {
    if (allHold(at)) return
    const broken = each.find(({ holds }) => !holds(at))
    throw new XmlRefusal(broken?.otherwise ?? 'it is not built as it must be')
  }
}

/** There is one element of that name there, and not more. */
export function one(path: string): Rule {
  return [`count(${path}) = 1`, `there is not exactly one ${nameOf(path)}`]
}

/** The element holds just these, in this order. */
export function holdsJust(path: string, ...names: string[]): Rule {
  const children = names.map((name, i) => `[*[${i + 1}][self::${name}]]`).join('')
  return [`${path}[count(*) = ${names.length}]${children}`, `${nameOf(path)} is not built as it must be`]
}

/** Where anything but text stands in an element, two readers could read two texts out of it; CDATA is text. */
export function holdsText(path: string): Rule {
  return [`not(${path}/node()[not(self::text())])`, `${nameOf(path)} holds more than text`]
}

/** `a/ds:Reference[1]` is about a Reference. */
export function nameOf(path: string): string {
  return path.replace(/\[[^\]]*\]$/, '').replace(/^.*[:/]/, '')
}

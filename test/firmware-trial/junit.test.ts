import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import type { TrialReport } from '../../src/contract/reports/firmware-trial.ts'
import { junitOf } from '../../src/firmware-trial/report/junit.ts'

/** The form that CI servers agree on (testmoapp/junitxml, windyroad's JUnit.xsd), written anew. */
const SCHEMA = `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:attributeGroup name="counts">
    <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="time" type="xs:decimal" use="required"/>
  </xs:attributeGroup>
  <xs:element name="testsuites">
    <xs:complexType>
      <xs:sequence><xs:element ref="testsuite" maxOccurs="unbounded"/></xs:sequence>
      <xs:attributeGroup ref="counts"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="testsuite">
    <xs:complexType>
      <xs:sequence><xs:element ref="testcase" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
      <xs:attribute name="name" type="xs:string" use="required"/>
      <xs:attributeGroup ref="counts"/>
      <xs:attribute name="skipped" type="xs:nonNegativeInteger"/>
      <xs:attribute name="timestamp" type="xs:dateTime" use="required"/>
      <xs:attribute name="hostname" type="xs:string" use="required"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="testcase">
    <xs:complexType>
      <xs:sequence>
        <xs:element name="failure" minOccurs="0" maxOccurs="unbounded">
          <xs:complexType mixed="true">
            <xs:attribute name="message" type="xs:string"/>
            <xs:attribute name="type" type="xs:string" use="required"/>
          </xs:complexType>
        </xs:element>
        <xs:element name="system-out" type="xs:string" minOccurs="0"/>
      </xs:sequence>
      <xs:attribute name="name" type="xs:string" use="required"/>
      <xs:attribute name="classname" type="xs:string" use="required"/>
      <xs:attribute name="time" type="xs:decimal" use="required"/>
    </xs:complexType>
  </xs:element>
</xs:schema>`

const passed = {
  name: 'plain',
  title: 'nothing goes wrong',
  passed: true,
  not_judged: null,
  duration_ms: 1200,
  findings: [],
  advice: [],
  requests: [],
  log: [],
}
const finding = {
  ...{ rule: 'same-key', sale: '1', expected: 'Each attempt has the same key.', seen: 'The key was "a" & <b>.' },
  document: 'docs/firmware.md#post-a-sale',
  chapter: 'Idempotency',
  request_ids: ['trial-1'],
}
const failed = {
  ...passed,
  name: 'answer-lost',
  passed: false,
  not_judged: null,
  findings: [finding],
  log: ['\u001b[31mred\u0000 ]]> "<"', 'đ'],
}
const report: TrialReport = {
  ...{ object: 'firmware_trial', passed: false, version: '1.0.0', started_at: '2026-11-26T10:00:00.123Z' },
  ...{ duration_ms: 2500, command: ['./client'], scenarios: [passed, failed] },
}

test('the JUnit file has the form that CI servers read, whatever the firmware printed', () => {
  using schema = XmlDocument.fromString(SCHEMA)
  using validator = XsdValidator.fromDoc(schema)
  using document = XmlDocument.fromString(junitOf(report))
  validator.validate(document)
  expect(document.get('/testsuites/@failures')?.content).toBe('1')
  expect(document.find('//testcase').map((node) => node.find('failure').length)).toEqual([0, 1])
  expect(document.get('//failure/@message')?.content).toBe('same-key')
  expect(document.get('//failure')?.content).toContain('The key was "a" & <b>.')
  expect(document.get('//system-out')?.content).toBe('?[31mred? ]]> "<"\nđ')
})

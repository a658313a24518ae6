import { testSample } from './support/sample-tests.ts'

testSample('c')

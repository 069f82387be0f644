import assert from 'node:assert/strict';
import type { AgentVariable } from '#contract/agents.ts';
import { parseTypedValue } from '#runs/request/typedValue.ts';

const createVariable = (type: string): AgentVariable => ({ variable: 'v', label: 'v', type, required: false, max_length: 3 });

describe('a typed value', () => {
	it("can't exceed the maximum length of a text input or paragraph, but can exceed that of a select, which exports always have", () => {
		assert.equal(parseTypedValue(createVariable('text-input'), 'long'), 'wrong');
		assert.equal(parseTypedValue(createVariable('paragraph'), 'long'), 'wrong');
		assert.deepEqual(parseTypedValue(createVariable('select'), 'long'), { value: 'long' });
	});
});

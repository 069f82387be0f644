import assert from 'node:assert/strict';
import type { AgentVariable } from '#contract/agents.ts';
import { parseTypedValue } from '#runs/request/typedValue.ts';

const createVariable = (type: string): AgentVariable => ({ variable: 'v', label: 'v', type, required: false, max_length: 3 });

describe('a typed value', () => {
	it('is held to the length of a text input and a paragraph, and not of a select, as exports carry one on every select', () => {
		assert.equal(parseTypedValue(createVariable('text-input'), 'long'), 'wrong');
		assert.equal(parseTypedValue(createVariable('paragraph'), 'long'), 'wrong');
		assert.deepEqual(parseTypedValue(createVariable('select'), 'long'), { value: 'long' });
	});
});

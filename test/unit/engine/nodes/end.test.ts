import assert from 'node:assert/strict';
import { end } from '#engine/nodes/end.ts';
import { VariablePool } from '#engine/variables/variables.ts';

describe('the outputs of an end node', () => {
	it('have any name, also those of built-in properties', async () => {
		const names = ['a', '__proto__', 'constructor', 'toString'];
		const settings = end.schema.parse({ outputs: names.map(variable => ({ variable, value_selector: ['x', 'y'] })) });
		const result = await end.run({ settings, variables: new VariablePool(), record: {} } as never);
		assert.deepEqual(Object.keys((result as { outputs: object }).outputs), names);
	});
});

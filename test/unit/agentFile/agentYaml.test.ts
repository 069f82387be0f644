import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { AgentText } from '#agentFile/agentText.ts';
import { agentYaml } from '#agentFile/agentYaml.ts';

const readYaml = (text: string): unknown => parse(text, agentYaml);

describe('YAML of agent files', () => {
	it('is read like in PyYAML', () => {
		// results of PyYAML's safe_load
		assert.deepEqual(readYaml('[yes, No, on, OFF, true, y, n, "yes", null, ~]'), [
			true,
			false,
			true,
			false,
			true,
			'y',
			'n',
			'yes',
			null,
			null,
		]);
		assert.deepEqual(readYaml('[010, 0o10, 0x1F, 0b101, 1_000, -010, 089]'), [8, '0o10', 31, 5, 1000, -8, '089']);
		assert.deepEqual(readYaml('[1:30, -1:30:05, 1:30.5, 12:99]'), [90, -5405, 90.5, '12:99']);
		assert.deepEqual(readYaml('[1.5, 1., .5, 1e3, 1.0e+3, 1.0e3, -.inf, +1.5]'), [
			1.5,
			1,
			0.5,
			'1e3',
			1000,
			'1.0e3',
			Number.NEGATIVE_INFINITY,
			1.5,
		]);
		assert.deepEqual(readYaml('[-.5, +.5, .5e+1, -0.5]'), ['-.5', '+.5', 5, -0.5]);
		assert.deepEqual(readYaml('{y: 1, x: &a {k: 1}, z: {<<: *a, l: 2}}'), { y: 1, x: { k: 1 }, z: { k: 1, l: 2 } });
	});

	it('rejects a second document like PyYAML', () => {
		assert.match(new AgentText('a: 1\n---\nb: 2\n').error?.message ?? '', /multiple documents/i);
		assert.equal(new AgentText('---\na: 1\n...\n').error, undefined);
	});

	it('reads back unchanged after it is written', () => {
		const values = ['yes', 'off', '010', '1:30', '1e3', true, 8, 1.5, 'y', null];
		assert.deepEqual(readYaml(stringify(values, agentYaml)), values);
	});
});

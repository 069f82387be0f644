import assert from 'node:assert/strict';
import { InputError } from '#engine/run/inputError.ts';
import { checkInputs } from '#engine/run/inputs.ts';
import { createTestAgent } from './engineFixture.ts';

const checkInput = (variable: object, value?: unknown) => {
	const agent = createTestAgent([{ id: 'start', data: { type: 'start', variables: [{ variable: 'v', label: 'V', ...variable }] } }], []);
	return checkInputs(agent, { ...(value !== undefined && { v: value }), unknown: 1 })['v'];
};

describe('inputs', () => {
	it('counts characters, not code units, and counts no megabytes', () => {
		assert.equal(checkInput({ type: 'paragraph', max_length: 3 }, '😀😀😀'), '😀😀😀');
		const started = performance.now();
		for (const text of ['😀😀😀😀', '😀a😀a', 'x'.repeat(50_000_000)]) {
			assert.throws(() => checkInput({ type: 'paragraph', max_length: 3 }, text), /less than 3 characters/);
		}
		assert.ok(performance.now() - started < 2_000, `${Math.round(performance.now() - started)} ms`);
	});

	for (const [variable, value, expected] of [
		[{ type: 'text-input', required: true }, undefined, 'v is required in input form'],
		[{ type: 'text-input', required: true }, null, 'v is required in input form'],
		[{ type: 'text-input' }, 5, "(type 'text-input') v in input form must be a string"],
		[{ type: 'paragraph', max_length: 3 }, 'abcd', 'v in input form must be less than 3 characters'],
		[{ type: 'select', options: ['a', 'b'] }, 'c', "v in input form must be one of the following: ['a', 'b']"],
		[{ type: 'number' }, 'x', 'v in input form must be a valid number'],
		[{ type: 'number' }, true, "(type 'number') v in input form must be a number"],
		[{ type: 'checkbox' }, 'perhaps', 'v in input form must be a boolean value'],
		[{ type: 'json_object' }, '[1]', 'v in input form must be a JSON object'],
		[{ type: 'file' }, 'a.png', 'v in input form must be a file'],
		[{ type: 'file-list', max_length: 1 }, [{}, {}], 'v in input form must be less than 1 files'],
	] as const) {
		it(`refuses ${JSON.stringify(value)} for ${JSON.stringify(variable)}`, () => {
			assert.throws(
				() => checkInput(variable, value),
				(error: unknown) => error instanceof InputError && error.variable === 'v' && error.message === expected,
			);
		});
	}

	for (const [variable, value, expected] of [
		[{ type: 'text-input', max_length: 3 }, '👍👍👍', '👍👍👍'],
		[{ type: 'text-input' }, undefined, undefined],
		[{ type: 'text-input', default: 'd', required: true }, undefined, 'd'],
		[{ type: 'number' }, ' 5.5 ', 5.5],
		[{ type: 'number' }, '', undefined],
		[{ type: 'number', default: '7' }, undefined, 7],
		[{ type: 'checkbox' }, 'True', true],
		[{ type: 'checkbox' }, ' yes ', true],
		[{ type: 'checkbox' }, 'On', true],
		[{ type: 'checkbox' }, 'no', false],
		[{ type: 'checkbox' }, 'off', false],
		[{ type: 'file-list' }, '', undefined],
		[{ type: 'text-input' }, 'a\0b', 'ab'],
		[{ type: 'select', max_length: 3, options: ['a longer option'] }, 'a longer option', 'a longer option'],
		[{ type: 'json_object' }, '{"a": 1}', { a: 1 }],
		[{ type: 'select', options: ['a'] }, '', undefined],
		[
			{ type: 'file', allowed_file_types: ['image'] },
			{ type: 'image', transfer_method: 'remote_url', url: 'https://example.invalid/a.png' },
			{ type: 'image', transfer_method: 'remote_url', url: 'https://example.invalid/a.png' },
		],
	] as const) {
		it(`accepts ${JSON.stringify(value)} for ${JSON.stringify(variable)}`, () => assert.deepEqual(checkInput(variable, value), expected));
	}
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findJsonError } from '#pages/shared/form/jsonFault.ts';
import { fuzzRuns } from './fuzzRuns.ts';

/** True if the engine accepts a text as JSON. */
function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

describe('the position at which a text stops being JSON', () => {
	const pieces = fc.constantFrom(
		'{',
		'}',
		'[',
		']',
		',',
		':',
		'"',
		'"a"',
		'\\',
		'true',
		'nul',
		'-',
		'01',
		'1.5e3',
		'.',
		' ',
		'\n',
		'\t',
		'\u0001',
		'x',
	);

	it('exists if and only if the engine rejects the text', () => {
		const broken = fc
			.tuple(fc.json(), fc.nat(), fc.nat(2), pieces)
			.map(([json, at, cut, piece]) => json.slice(0, at % (json.length + 1)) + piece + json.slice((at % (json.length + 1)) + cut));
		const any = fc.oneof(
			fc.json(),
			broken,
			fc.array(pieces).map(all => all.join('')),
			fc.string(),
		);
		fc.assert(
			fc.property(any, text => {
				const at = findJsonError(text);
				assert.equal(at === undefined, isJson(text), text);
				assert.ok(at === undefined || (at >= 0 && at <= text.length));
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('is found at any depth', () => {
		assert.equal(findJsonError('['.repeat(200_000)), 200_000);
	});
});

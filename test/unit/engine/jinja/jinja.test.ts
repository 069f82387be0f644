import assert from 'node:assert/strict';
import fs from 'node:fs';
import { Jinja } from '#engine/jinja/jinja.ts';

/** Our own templates with the output of Jinja 3.1.6, and templates that it refuses. */
const { values, filled, refused } = JSON.parse(fs.readFileSync(new URL('cases.json', import.meta.url), 'utf8')) as {
	readonly values: Readonly<Record<string, unknown>>;
	readonly filled: readonly (readonly [string, string])[];
	readonly refused: readonly string[];
};
/** Matches messages of JavaScript errors, which users must not see. */
const internal = /Cannot read|reading '|is not a function|undefined is not|of undefined|Invalid array length|Cannot mix BigInt/;

describe('a template', () => {
	for (const [template, expected] of filled) {
		it(`is rendered like in Jinja: ${JSON.stringify(template).slice(0, 100)}`, () => {
			const copy = structuredClone(values);
			assert.equal(new Jinja(template).render(copy), expected);
			assert.equal(new Jinja(template).renderWithinBudget(copy) ?? expected, expected);
			assert.deepEqual(copy, values, 'values of the run are changed');
		});
	}

	for (const template of refused) {
		it(`fails with its line and without JavaScript messages: ${JSON.stringify(template).slice(0, 100)}`, () => {
			assert.throws(
				() => new Jinja(template).render(values),
				(error: Error) => /\(line \d+/.test(error.message) && !internal.test(error.message),
			);
		});
	}

	for (const [template, message] of [
		['a\n{{ missing.append(1) }}', "'missing' is undefined (line 2: {{ missing.append(1) }})"],
		['{{ s.nope() }}', "'s.nope' is undefined (line 1: {{ s.nope() }})"],
		['{{ s|attr("items")() }}', 'the function is undefined (line 1: {{ s|attr("items")() }})'],
		['{% for i in 5 %}{{ i }}{% endfor %}', "'int' object is not iterable (line 1: {% for i in 5 %})"],
		['{{ s|nope }}', "No filter named 'nope' (line 1: {{ s|nope }})"],
		['{{ s is nope }}', "No test named 'nope' (line 1: {{ s is nope }})"],
		['{% include "a" %}', "'include' needs other templates, which aren't supported here (line 1)"],
		['x\n{% if s %}', "Unexpected end of template: expected 'elif' or 'else' or 'endif' (line 2)"],
		['{{ s|truncate(1, 2, 3, 4, 5) }}', 'truncate() takes at most 4 arguments (5 given) (line 1: {{ s|truncate(1, 2, 3, 4, 5) }})'],
		['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'values or calls are nested too deeply (line 1: {{ m() }})'],
		['{% set l2 = [] %}{% set _ = l2.append(l2) %}{{ l2 }}', 'values or calls are nested too deeply (line 1: {{ l2 }})'],
	] as const) {
		it(`names the expression that failed: ${JSON.stringify(template)}`, () => {
			assert.throws(() => new Jinja(template).render(values), { name: 'TemplateError', message });
		});
	}

	it('generates filler text with the requested number of words', () => {
		assert.match(new Jinja('{{ lipsum(n=2, html=false, min=3, max=4) }}').render({}), /^[A-Z]\w*( \w+){2}\.\n\n[A-Z]\w*( \w+){2}\.$/);
	});
});

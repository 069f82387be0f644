import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Jinja } from '#engine/jinja/jinja.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const names = ['a', 'items', 'o.k', 'items[0]', 'nothing', 'loop.index', '"text"', '3', '-1.5', 'true', 'none', '[1, "b"]', '{"k": a}'];
const filters =
	`upper lower title trim length first last join(", ") join reverse sort unique sum list string int float abs round(1) replace("a", "b")
	default("d") truncate(5) wordcount wordwrap(3) tojson indent batch(2) slice(2) map("upper") select("odd") reject("none") selectattr("k") dictsort items
	format("x") urlencode escape striptags min max groupby("k") center(9) filesizeformat xmlattr pprint random attr("k") unheard-of`
		.split(/\s+(?![^(]*\))/)
		.filter(Boolean);
const operators = ['+', '-', '*', '/', '//', '%', '**', '~', '==', '!=', '<', '>=', 'and', 'or', 'in', 'not in', 'is', 'if'];
const pieces = [
	'{{',
	'}}',
	'{%',
	'%}',
	'{#',
	'#}',
	'{%- raw %}',
	'{% endraw -%}',
	'{% else %}',
	'{% endif %}',
	'{% endfor %}',
	'\n',
	'ä€😀',
	'{',
	"'",
];

const expression: fc.Arbitrary<string> = fc.letrec<{ expression: string }>(tie => ({
	expression: fc.oneof(
		{ maxDepth: 3, depthIdentifier: 'expression' },
		fc.constantFrom(...names),
		fc.tuple(tie('expression'), fc.constantFrom(...filters)).map(([of, filter]) => `${of} | ${filter}`),
		fc.tuple(tie('expression'), fc.constantFrom(...operators), tie('expression')).map(([left, by, right]) => `(${left} ${by} ${right})`),
		tie('expression').map(each => `not ${each}`),
		tie('expression').map(each => `range(${each})`),
		fc
			.tuple(tie('expression'), fc.constantFrom('split("t")', 'strip()', 'items()', 'get("k")', 'append(1)'))
			.map(([of, call]) => `(${of}).${call}`),
	),
})).expression;

const template: fc.Arbitrary<string> = fc.letrec<{ template: string }>(tie => ({
	template: fc.oneof(
		{ maxDepth: 3, depthIdentifier: 'template' },
		fc.constantFrom('some text ', ...pieces),
		expression.map(each => `{{ ${each} }}`),
		fc.tuple(tie('template'), tie('template')).map(pair => pair.join('')),
		fc.tuple(expression, tie('template')).map(([test, body]) => `{% if ${test} %}${body}{% else %}no{% endif %}`),
		fc.tuple(expression, tie('template')).map(([list, body]) => `{% for item in ${list} %}${body}{% endfor %}`),
		fc.tuple(expression, tie('template')).map(([value, body]) => `{% set a = ${value} %}${body}`),
	),
})).template;

const values = fc.record({
	a: fc.jsonValue({ maxDepth: 2 }),
	items: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 5 }),
	o: fc.constant({ k: 'v' }),
});

describe('any template', () => {
	const { random } = Math;
	// the filter `random` would give different results in the two renderings
	before(() => {
		Math.random = () => 0.5;
	});
	after(() => {
		Math.random = random;
	});

	it('is filled in equally with and without a time limit, or refused with a message', () => {
		fc.assert(
			fc.property(template, values, (text, given) => {
				const quick = renderOutcome(() => new Jinja(text).renderWithinBudget(given));
				if (quick === undefined) {
					return;
				}
				assert.equal(
					renderOutcome(() => new Jinja(text).render(given)),
					quick,
					text,
				);
			}),
			{ numRuns: fuzzRuns },
		);
	});
});

/** Returns the printed text, or the error message. */
function renderOutcome(render: () => string | undefined): string | undefined {
	try {
		return render();
	} catch (error) {
		assert.ok(error instanceof Error && error.message !== '', String(error));
		return `refused: ${error.name} ${error.message}`;
	}
}

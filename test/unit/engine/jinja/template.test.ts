import assert from 'node:assert/strict';
import { Jinja } from '#engine/jinja/jinja.ts';
import { Templates } from '#engine/jinja/templates.ts';
import { Float } from '#engine/variables/float.ts';
import { runNodeAlone } from '../nodes/nodeRun.ts';

const renderTemplate = (template: string, values: Readonly<Record<string, unknown>> = {}) => new Jinja(template).render(values);

describe('template-transform', () => {
	it('prints values like Python', () => {
		assert.equal(
			renderTemplate('{{ a }} {{ b }} {{ c }} {{ d }} {{ e }}', { a: null, b: true, c: 1.5, d: 3, e: ['x', "it's", null] }),
			`None True 1.5 3 ['x', "it's", None]`,
		);
		assert.equal(
			renderTemplate('{{ o }} {{ o | tojson }} [{{ missing }}]', { o: { k: [1, { b: false }] } }),
			`{'k': [1, {'b': False}]} {"k": [1, {"b": false}]} []`,
		);
		assert.equal(renderTemplate('{{ 4 / 2 }} {{ 7 // 2 }} {{ -7 % 3 }} {{ 2 * 1.5 }} {{ 1.0 }}'), '2.0 3 2 3.0 1.0');
	});

	it('keeps whitespace like Jinja', () => {
		assert.equal(renderTemplate('a\n{% if true %}\nb\n{% endif %}\nc\n'), 'a\n\nb\n\nc');
		assert.equal(renderTemplate('a\n{%- if true -%}\n b {%- endif %} c'), 'ab c');
	});

	it('supports loops, conditions, macros and set', () => {
		assert.equal(
			renderTemplate('{% for k, v in o.items() %}{{ loop.index }}{{ k }}{{ v }}{{ "," if not loop.last }}{% endfor %}', {
				o: { a: 1, b: 2 },
			}),
			'1a1,2b2',
		);
		assert.equal(renderTemplate('{% macro m(a, b=2) %}<{{ a }}{{ b }}>{% endmacro %}{{ m(1) }}{% set x = [1, 2] | sum %}{{ x }}'), '<12>3');
		assert.equal(renderTemplate('{% for x in [] %}a{% else %}none{% endfor %}'), 'none');
	});

	it('supports the filters that agents use', () => {
		assert.equal(renderTemplate("{{ '%.2f' | format(x) }} {{ x | round(1) }} {{ 2.5 | round | int }}", { x: 3.1459 }), '3.15 3.1 2');
		assert.equal(
			renderTemplate(
				"{{ 'a b c' | wordcount }} {{ 'hello big world' | truncate(9, true, '…', 0) }} {{ '<b>' | e }} {{ ['a'] | map('upper') | join }}",
			),
			'3 hello bi… &lt;b&gt; A',
		);
		assert.equal(
			renderTemplate("{{ l | batch(2) | list }} {{ p | sum(attribute='n') }} {{ l | max }} {{ l | min }}", {
				l: [3, 1, 2],
				p: [{ n: 1 }, { n: 2 }],
			}),
			'[[3, 1], [2]] 3 3 1',
		);
		assert.equal(
			renderTemplate("{{ 'ab' * 2 }} {{ '%s is %03d' % ('x', 7) }} {{ 'a b/ü' | urlencode }} {{ '<p>x</p>' | striptags }}"),
			'abab x is 007 a%20b/%C3%BC x',
		);
	});

	it('supports tests, raw text, and the methods of strings', () => {
		assert.equal(
			renderTemplate('{{ 9 is divisibleby(3) }} {{ 9 is not divisibleby 2 }} {{ n is gt(3) }} {{ n is none }} {{ n is defined }}', {
				n: 5,
			}),
			'True True True False True',
		);
		assert.equal(renderTemplate('{% raw %}{{ x }}{% if %}{% endraw %}{{ 1 }}'), '{{ x }}{% if %}1');
		assert.equal(
			renderTemplate(
				"{{ '{} of {:>3}'.format(a, 2) }} {{ 'abcb'.count('b') }} {{ ', '.join(['x', 'y']) }} {{ '7'.zfill(3) }} {{ 'a' ~ 1 ~ none }}",
				{ a: 1 },
			),
			'1 of   2 2 x, y 007 a1None',
		);
	});

	it('supports picking and grouping', () => {
		const people = [
			{ name: 'Ann', age: 3 },
			{ name: 'Ben', age: 5 },
			{ name: 'Cid', age: 3 },
		];
		assert.equal(renderTemplate("{{ p | selectattr('age', 'gt', 4) | map(attribute='name') | join(',') }}", { p: people }), 'Ben');
		assert.equal(
			renderTemplate("{{ p | join(', ', attribute='name') }} {{ [1, 2, 3] | select('odd') | list }} {{ [0, 1] | reject | list }}", {
				p: people,
			}),
			'Ann, Ben, Cid [1, 3] [0]',
		);
		assert.equal(
			renderTemplate("{% for g in p | groupby('age') %}{{ g.grouper }}:{{ g.list | length }} {% endfor %}{{ [1, 2, 3] | slice(2) }}", {
				p: people,
			}),
			'3:2 5:1 [[1, 2], [3]]',
		);
	});

	it("accepts any name for the agent's variables", () => {
		assert.equal(renderTemplate('{{ namespace }} {{ range }}', { namespace: 'n', range: 'r' }), 'n r');
	});

	it("can't access anything outside the template", () => {
		assert.equal(
			renderTemplate('[{{ process }}{{ x.constructor }}{{ x.__proto__ }}{{ "".constructor }}{{ globalThis }}]', { x: {} }),
			'[]',
		);
		assert.throws(() => renderTemplate('{{ range.constructor("return process")() }}'));
	});

	it('has no members of JavaScript objects in a loop', () => {
		const names = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty', '__defineGetter__'];
		for (const name of names) {
			assert.equal(
				renderTemplate(`{% for i in [1] %}{{ loop.${name} is defined }}{{ loop['${name}'] is defined }}{% endfor %}`),
				'FalseFalse',
				name,
			);
		}
	});

	it('is limited in time, in ranges and in length', async () => {
		assert.throws(() => renderTemplate('{% for i in range(100001) %}{% endfor %}'), /Range too big/);
		assert.throws(
			() => renderTemplate("{% set ns = namespace(t='x') %}{% for i in range(30) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}"),
			/longer than 4000000/,
		);
		assert.throws(() => renderTemplate('{{ "x" * 400001 }}'), /longer than 400000/);
		const { error, errorType } = await runNodeAlone({
			type: 'template-transform',
			template: '{{ "x" * 300000 }}{{ "x" * 300000 }}',
			variables: [],
		});
		assert.match(String(error), /longer than 400000 characters/);
		assert.equal(errorType, '');
	});

	it('is rendered without a thread if that is certainly fast, with the same result as in a thread', async () => {
		const renderWithoutThread = (template: string, values: Readonly<Record<string, unknown>> = {}) =>
			new Jinja(template).renderWithinBudget(values);
		assert.equal(
			renderWithoutThread('{% for p in l %}{{ p.n | upper }}{{ ", " if not loop.last }}{% endfor %}', { l: [{ n: 'a' }, { n: 'b' }] }),
			'A, B',
		);
		assert.equal(renderWithoutThread('{{ t | truncate(5) }}{{ range(3) | join("-") }}{{ 7 % 4 }}', { t: 'short' }), 'short0-1-23');
		const templates = new Templates();
		const long = {
			'{{ t }}': { t: 'x'.repeat(30_000) },
			"{{ 'x' * 9 }}": {},
			"{{ '%5d' | format(1) }}": {},
			'{{ l | join(t) }}': { l: ['a', 'b'], t: '-'.repeat(100) },
			'{% for i in range(2000) %}{{ i }}{% endfor %}': {},
			'{% for i in range(300) %}{% for j in range(300) %}{% endfor %}{% endfor %}': {},
			'{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1) }}': {},
			[`{# ${'x'.repeat(4000)} #}`]: {},
			'{{ n }} {{ n + 1 }}{% for i in range(2000) %}{% endfor %}': { n: new Float(51) },
		};
		for (const [template, values] of Object.entries(long)) {
			assert.equal(renderWithoutThread(template, values), undefined, template);
			assert.equal(await templates.render(new Jinja(template), values, new AbortController().signal), renderTemplate(template, values));
		}
		await templates.close();
	});

	it('is never rendered without a thread if a filter works on each character, or a number grows without limit', () => {
		const t = Array.from({ length: 2000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
		const slow = {
			"{{ t | unique(attribute='0,0') | length }}": { t },
			"{{ t | sort(attribute='0,0') | length }}": { t },
			"{{ t | map('slice', 1000) | length }}": { t: t.slice(0, 500) },
			"{{ [t] | map('map', 'slice', 1000) | length }}": { t: t.slice(0, 500) },
			"{{ l | map('batch', 1000, 'x') | length }}": { l: ['a'] },
			"{{ [t] | map('center', 1000) | length }}": { t: 'a' },
			'{{ t | join([t]) | length }}': { t },
			"{{ t | replace('a', [t]) | length }}": { t },
			'{% set n = namespace(x=3) %}{% for i in range(13) %}{% set n.x = n.x * n.x %}{% endfor %}{{ n.x > 1 }}': {},
		};
		for (const [template, values] of Object.entries(slow)) {
			assert.equal(new Jinja(template).renderWithinBudget(values), undefined, template);
		}
		const renderQuick = "{{ l | map('upper') | join(', ') }}{{ t | length }}{{ l | sort(reverse=true) | first }}{{ [1, 2] | sum }}";
		assert.equal(new Jinja(renderQuick).renderWithinBudget({ l: ['a', 'b'], t }), 'A, B2000b3');
	});

	it('wraps words like Jinja', () => {
		const text = 'one two three\n\nfour five six seven-and-eight';
		assert.equal(renderTemplate('{{ t | wordwrap(9) }}', { t: text }), 'one two\nthree\n\nfour five\nsix\nseven-and-eight');
	});

	it('fails with the position of an invalid template when it is reached, not before', async () => {
		const { error, status } = await runNodeAlone({ type: 'template-transform', template: '{% if %}', variables: [] });
		assert.equal(status, 'exception');
		assert.match(String(error), /^Couldn't render the template: /);
	});

	for (const [template, expected] of [
		['{{ 1 < x < 10 }} {{ 1 < x < 3 }} {{ (1 < x) == true }} {{ 1 == 1 in [1] }}', 'True False True True'],
		[
			'{{ l == [1, 2] }} {{ "1" == 1 }} {{ true == 1 }} {{ "a" < "b" }} {{ [1, 2] < [1, 3] }} {{ 1 in [true] }}',
			'True False True True True True',
		],
		[
			'[{% for a in nobody %}{{ a }}{% else %}none{% endfor %}|{{ nobody | length }}|{{ nobody | upper }}|{{ nobody | join }}]',
			'[none|0||]',
		],
		['{% for c in "ab" %}{{ c }}-{% endfor %}{{ none | upper }}{{ 5 | replace("5", "6") }}', 'a-b-NONE6'],
		[
			'{{ o | dictsort }}{% for k, v in o | dictsort %}{{ k }}{{ v }}{% endfor %}{{ o.items() | list }}',
			"[('a', 1), ('b', 2)]a1b2[('b', 2), ('a', 1)]",
		],
		[
			'{{ {"b": "<é>", "a": [1.0, none]} | tojson }} {{ {"a": [1]} | tojson(indent=1) }}',
			'{"a": [1.0, null], "b": "\\u003c\\u00e9\\u003e"} {\n "a": [\n  1\n ]\n}',
		],
		['{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 / 2 }} {{ 4 / 2 }} {{ [1] + [2] }} {{ true + 1 }}', '3 -4 3.5 2.0 [1, 2] 2'],
	] as const) {
		it(`renders ${template}`, () => {
			const values = { x: 7, l: [1, 2], o: { b: 2, a: 1 } };
			assert.equal(new Jinja(template).render(values), expected);
			assert.equal(new Jinja(template).renderWithinBudget(values) ?? expected, expected);
		});
	}

	for (const [template, message] of [
		['{{ x.nope.deeper }}', /'nope' is undefined/],
		['{{ nobody.deeper }}', /'nobody' is undefined/],
		['{{ nobody.a | default("d") }}', /'nobody' is undefined/],
		['{{ 1 / n }}', /division by zero/],
		['{{ 1 // n }}', /division or modulo by zero/],
		['{{ "a" + 1 }}', /unsupported operand type\(s\) for \+: 'str' and 'int'/],
		['{{ none + 1 }}', /'NoneType' and 'int'/],
		['{{ "a" < 1 }}', /'<' not supported between instances of 'str' and 'int'/],
		['{{ nobody < 1 }}', /'<' not supported/],
		['{% for a in none %}{% endfor %}', /'NoneType' object is not iterable/],
		['{% for a in 5 %}{% endfor %}', /'int' object is not iterable/],
		['{{ nobody | tojson }}', /not JSON serializable/],
		['{{ 1 in "abc" }}', /requires string as left operand/],
		['{{ range({"k": 1}.items()) }}', /range\(\) takes whole numbers/],
	] as const) {
		it(`fails for ${template}`, () => {
			const values = { x: {}, n: 0 };
			assert.throws(() => new Jinja(template).render(values), message);
			assert.throws(() => new Jinja(template).renderWithinBudget(values), message);
		});
	}
});

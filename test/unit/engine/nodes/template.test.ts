import assert from 'node:assert/strict';
import { Jinja } from '../../../../src/gateway/engine/jinja/jinja.ts';
import { runNodeAlone } from './nodeRun.ts';

const render = (template: string, values: Readonly<Record<string, unknown>> = {}) => new Jinja(template).render(values);

describe('template-transform', () => {
	it('prints values as Python does', () => {
		assert.equal(
			render('{{ a }} {{ b }} {{ c }} {{ d }} {{ e }}', { a: null, b: true, c: 1.5, d: 3, e: ['x', "it's", null] }),
			`None True 1.5 3 ['x', "it's", None]`,
		);
		assert.equal(
			render('{{ o }} {{ o | tojson }} [{{ missing }}]', { o: { k: [1, { b: false }] } }),
			`{'k': [1, {'b': False}]} {"k": [1, {"b": false}]} []`,
		);
		assert.equal(render('{{ 4 / 2 }} {{ 7 // 2 }} {{ -7 % 3 }} {{ 2 * 1.5 }} {{ 1.0 }}'), '2.0 3 2 3.0 1.0');
	});

	it('keeps white space as Jinja does', () => {
		assert.equal(render('a\n{% if true %}\nb\n{% endif %}\nc\n'), 'a\n\nb\n\nc');
		assert.equal(render('a\n{%- if true -%}\n b {%- endif %} c'), 'ab c');
	});

	it('has loops, conditions, macros and what is set', () => {
		assert.equal(
			render('{% for k, v in o.items() %}{{ loop.index }}{{ k }}{{ v }}{{ "," if not loop.last }}{% endfor %}', { o: { a: 1, b: 2 } }),
			'1a1,2b2',
		);
		assert.equal(render('{% macro m(a, b=2) %}<{{ a }}{{ b }}>{% endmacro %}{{ m(1) }}{% set x = [1, 2] | sum %}{{ x }}'), '<12>3');
		assert.equal(render('{% for x in [] %}a{% else %}none{% endfor %}'), 'none');
	});

	it('has the filters that agents use', () => {
		assert.equal(render("{{ '%.2f' | format(x) }} {{ x | round(1) }} {{ 2.5 | round | int }}", { x: 3.1459 }), '3.15 3.1 2');
		assert.equal(
			render(
				"{{ 'a b c' | wordcount }} {{ 'hello big world' | truncate(9, true, '…', 0) }} {{ '<b>' | e }} {{ ['a'] | map('upper') | join }}",
			),
			'3 hello bi… &lt;b&gt; A',
		);
		assert.equal(
			render("{{ l | batch(2) | list }} {{ p | sum(attribute='n') }} {{ l | max }} {{ l | min }}", {
				l: [3, 1, 2],
				p: [{ n: 1 }, { n: 2 }],
			}),
			'[[3, 1], [2]] 3 3 1',
		);
		assert.equal(
			render("{{ 'ab' * 2 }} {{ '%s is %03d' % ('x', 7) }} {{ 'a b/ü' | urlencode }} {{ '<p>x</p>' | striptags }}"),
			'abab x is 007 a%20b/%C3%BC x',
		);
	});

	it('has tests with values, raw text, and the methods of texts', () => {
		assert.equal(
			render('{{ 9 is divisibleby(3) }} {{ 9 is not divisibleby 2 }} {{ n is gt(3) }} {{ n is none }} {{ n is defined }}', { n: 5 }),
			'True True True False True',
		);
		assert.equal(render('{% raw %}{{ x }}{% if %}{% endraw %}{{ 1 }}'), '{{ x }}{% if %}1');
		assert.equal(
			render(
				"{{ '{} of {:>3}'.format(a, 2) }} {{ 'abcb'.count('b') }} {{ ', '.join(['x', 'y']) }} {{ '7'.zfill(3) }} {{ 'a' ~ 1 ~ none }}",
				{ a: 1 },
			),
			'1 of   2 2 x, y 007 a1None',
		);
	});

	it('picks and groups', () => {
		const people = [
			{ name: 'Ann', age: 3 },
			{ name: 'Ben', age: 5 },
			{ name: 'Cid', age: 3 },
		];
		assert.equal(render("{{ p | selectattr('age', 'gt', 4) | map(attribute='name') | join(',') }}", { p: people }), 'Ben');
		assert.equal(
			render("{{ p | join(', ', attribute='name') }} {{ [1, 2, 3] | select('odd') | list }} {{ [0, 1] | reject | list }}", { p: people }),
			'Ann, Ben, Cid [1, 3] [0]',
		);
		assert.equal(
			render("{% for g in p | groupby('age') %}{{ g.grouper }}:{{ g.list | length }} {% endfor %}{{ [1, 2, 3] | slice(2) }}", {
				p: people,
			}),
			'3:2 5:1 [[1, 2], [3]]',
		);
	});

	it('lets variables of the agent have any name', () => {
		assert.equal(render('{{ namespace }} {{ range }}', { namespace: 'n', range: 'r' }), 'n r');
	});

	it('reaches nothing outside of the template', () => {
		assert.equal(render('[{{ process }}{{ x.constructor }}{{ x.__proto__ }}{{ "".constructor }}{{ globalThis }}]', { x: {} }), '[]');
		assert.throws(() => render('{{ range.constructor("return process")() }}'));
	});

	it('is bounded in time, in ranges and in length', async () => {
		assert.throws(() => render('{% for i in range(100001) %}{% endfor %}'), /Range too big/);
		assert.throws(
			() => render('{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}'),
			/takes longer than 2 seconds/,
		);
		assert.throws(() => render('{{ "x" * 400001 }}'), /over 400000/);
		const { error, errorType } = await runNodeAlone({
			type: 'template-transform',
			template: '{{ "x" * 300000 }}{{ "x" * 300000 }}',
			variables: [],
		});
		assert.match(String(error), /over 400000 characters/);
		assert.equal(errorType, 'ValueError');
	}).timeout(10_000);

	it('fails with the place of a broken template when it is reached, not before', async () => {
		const { error, status } = await runNodeAlone({ type: 'template-transform', template: '{% if %}', variables: [] });
		assert.equal(status, 'exception');
		assert.match(String(error), /^The template cannot be filled: /);
	});
});

import assert from 'node:assert/strict';
import { readApp } from '#dify/content/appContent.ts';
import { compareApps } from '#dify/content/appDifference.ts';
import { hashContent } from '#dify/content/contentHash.ts';
import { formatDifferenceLines, formatDifferenceSummary } from '#dify/content/formatDifference.ts';
import { getLinkState } from '#dify/linkState.ts';
import { appText } from '../syncedApp.ts';

const compareTexts = (a: string, b: string) => compareApps(readApp(a), readApp(b));

describe('the content hash of an app', () => {
	const same: readonly (readonly [string, (text: string) => string])[] = [
		[
			'positions, sizes and the viewport',
			text => text.replace('x: 300', 'x: 1').replace('zoom: 1', 'zoom: 2').replace('id: t\n', 'id: t\n      width: 9\n'),
		],
		['selection and dragging', text => text.replace('id: t\n', 'id: t\n      selected: true\n      dragging: false\n      zIndex: 3\n')],
		['the version and dependencies', text => text.replace('0.6.0', '0.5.0').replace('dependencies: []', 'dependencies: [{type: x}]')],
		['the values of secrets', text => text.replace("value: ''", 'value: sk-1')],
		[
			'comments, quotes and the order of keys',
			text => text.replace('# the greeter', '').replace('name: Greeter\n  mode: workflow', 'mode: "workflow"\n  name: "Greeter"'),
		],
		[
			'anchors',
			text =>
				text
					.replace('{type: start, title: Start, variables: []}', '{type: start, title: &a Start, variables: []}')
					.replace('title: End', 'title: End'),
		],
		['the notation of a number', text => text.replace('value: 7', 'value: 7.0')],
		['null for a missing field', text => text.replace('id: t\n', 'id: t\n      parentId: null\n')],
		['the order of nodes and edges', text => text.replace(/( {4}- id: start\n(?: {6}.*\n)+)((?:.*\n)*?)( {4}edges)/, '$2$1$3')],
	];
	for (const [what, change] of same) {
		it(`does not depend on ${what}`, () => {
			assert.notEqual(change(appText), appText);
			assert.equal(hashContent(change(appText)), hashContent(appText));
		});
	}

	const other: readonly (readonly [string, (text: string) => string])[] = [
		['a field of a node', text => text.replace('Hello', 'Hi')],
		['a key in any script', text => text.replace('template: Hello', 'template: Hello\n        größe_名: 1')],
		['an edge', text => text.replace('sourceHandle: source, target: t', 'sourceHandle: other, target: t')],
		['a variable', text => text.replace('value: 7', 'value: 8')],
		['a number as a string', text => text.replace('value: 7', "value: '7'")],
		['the name of a secret', text => text.replace('name: KEY', 'name: TOKEN')],
		['an empty string for null', text => text.replace("description: ''", 'description:')],
		['a feature', text => text.replace("opening_statement: ''", 'opening_statement: hi')],
		['the order of a list inside a node', text => text.replace('outputs: []', 'outputs: [a, b]')],
	];
	for (const [what, change] of other) {
		it(`changes with ${what}`, () => assert.notEqual(hashContent(change(appText)), hashContent(appText)));
	}

	it('changes with each digit of a number too large for JavaScript, but not with its notation', () => {
		const replaceNumber = (value: string) => appText.replace('value: 7', `value: ${value}`);
		const number = replaceNumber('1234567890123456789');
		for (const other of ['1234567890123456788', "'1234567890123456789'", '-1234567890123456789']) {
			assert.notEqual(hashContent(replaceNumber(other)), hashContent(number), other);
			assert.equal(compareTexts(number, replaceNumber(other)).isSame, false);
			assert.doesNotThrow(() => JSON.stringify(compareTexts(number, replaceNumber(other))));
		}
		assert.equal(hashContent(replaceNumber('1_234_567_890_123_456_789')), hashContent(number));
		assert.equal(hashContent(replaceNumber('+1234567890123456789')), hashContent(number));
		assert.notEqual(hashContent(replaceNumber('1234567890123456788')), hashContent(replaceNumber('0x112210F47DE98115')));
		assert.equal(hashContent(number), hashContent(replaceNumber('0x112210F47DE98115')));
	});

	it('is the same for an alias and its value', () => {
		const [a, b] = ['variables: &v [x, y]\n        more: *v', 'variables: [x, y]\n        more: [x, y]'];
		const [one, two] = [a, b].map(each => hashContent(appText.replace('Hello\n        variables: []', `Hello\n        ${each}`)));
		assert.equal(one, two);
	});

	it('is the same after a Dify upgrade that adds fields with default values', () => {
		const upgraded = appText
			.replace('icon: 🤖', 'icon: 🤖\n  icon_type: emoji\n  use_icon_as_answer_icon: false')
			.replace('version: 0.6.0', 'version: 0.7.0')
			.concat('  rag_pipeline_variables: []\n');
		assert.equal(hashContent(upgraded), hashContent(appText));
		assert.deepEqual(compareTexts(appText, upgraded).isSame, true);
		assert.deepEqual(compareTexts(appText, upgraded).app, []);
		// a value other than the default counts: a file without it would remove the picture
		assert.notEqual(hashContent(upgraded.replace('icon_type: emoji', 'icon_type: image')), hashContent(appText));
	});

	it('includes the settings of apps without a graph', () => {
		const chat = 'app: {name: Chat, mode: chat}\nkind: app\nmodel_config: {pre_prompt: hello, model: {name: m}}\nversion: 0.1.5\n';
		assert.notEqual(hashContent(chat), hashContent(chat.replace('hello', 'hi')));
		assert.deepEqual(compareTexts(chat, chat.replace('hello', 'hi')).other, [
			{ path: 'model_config.pre_prompt', before: 'hello', after: 'hi' },
		]);
	});

	it('includes a value in place of a list', () => {
		const broken = appText.replace(/nodes:\n[\s\S]*? {4}edges:/, 'nodes: 7\n    edges:');
		assert.notEqual(hashContent(broken), hashContent(broken.replace('nodes: 7', 'nodes: 8')));
		assert.equal(compareTexts(broken, broken.replace('nodes: 7', 'nodes: 8')).other[0]?.path, 'workflow.graph.nodes');
	});

	it('distinguishes two nodes with the same ID', () => {
		const twice = appText.replace('- id: end', '- id: t');
		assert.notEqual(hashContent(twice), hashContent(twice.replace('title: End', 'title: Fin')));
	});
});

describe('the difference between two apps', () => {
	it('names nodes, edges, variables and fields, without values of secrets', () => {
		const changed = appText
			.replace('Hello', 'Hi')
			.replace('name: Greeter', 'name: Host')
			.replace('value: 7', 'value: 8')
			.replace("value: ''", 'value: sk-1')
			.replace('name: KEY', 'name: TOKEN')
			.replace("opening_statement: ''", 'opening_statement: hi')
			.replace('x: 300', 'x: 301')
			.replace('- id: end', '- id: done')
			.replace('source: t, sourceHandle: source, target: end', 'source: t, sourceHandle: source, target: done');
		const difference = compareTexts(appText, changed);
		assert.deepEqual(formatDifferenceLines(difference), [
			'~ app.name',
			"~ node 'Greeting (t)' (template-transform): template",
			"+ node 'End (done)' (end)",
			"- node 'End (end)' (end)",
			"+ edge 'Greeting' → 'End'",
			"- edge 'Greeting' → 'End'",
			"+ environment variable 'TOKEN'",
			"~ environment variable 'LIMIT': value",
			"- environment variable 'KEY'",
			'~ workflow.features.opening_statement',
			'~ layout',
		]);
		assert.equal(
			formatDifferenceSummary(difference),
			'3 nodes differ, 2 edges differ, 3 variables differ, app settings differ: name, 1 feature differs',
		);
		assert.doesNotMatch(JSON.stringify(difference), /sk-1/);
	});

	it('is summarized as layout only or no differences', () => {
		assert.equal(formatDifferenceSummary(compareTexts(appText, appText.replace('x: 300', 'x: 1'))), 'layout only');
		assert.equal(formatDifferenceSummary(compareTexts(appText, appText.replace('# the greeter\n', ''))), 'no differences');
	});

	it('treats inherited property names as plain names', () => {
		const odd = appText.replace('id: end', 'id: __proto__').replace('name: LIMIT', 'name: constructor');
		assert.ok(compareTexts(odd, odd).isSame);
		assert.deepEqual(
			compareTexts(odd, odd.replace('title: End', 'title: Fin')).nodes.map(({ id }) => id),
			['__proto__'],
		);
	});
});

describe('the state of a link', () => {
	const [base, here, there] = ['Hello', 'Hi', 'Hey'].map(word => readApp(appText.replace('Hello', word)));
	const moved = readApp(appText.replace('x: 300', 'x: 1'));
	it('is same, layout, changed-here, changed-there or changed-both', () => {
		assert.ok(base && here && there);
		const hash = hashContent(base);
		assert.equal(getLinkState(hash, base, base), 'same');
		assert.equal(getLinkState(hash, moved, base), 'layout');
		assert.equal(getLinkState(hash, here, base), 'changed-here');
		assert.equal(getLinkState(hash, base, there), 'changed-there');
		assert.equal(getLinkState(hash, here, there), 'changed-both');
		assert.equal(getLinkState(hash, here, here), 'same');
	});
});

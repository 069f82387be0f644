import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import { checkAgent } from '#runs/request/agentCheck.ts';
import { parseRunFile } from '#runs/request/runFileParse.ts';
import { runFileSchemaPath } from '../../../../scripts/runFileSchema.ts';
import { english } from '../../../support/english.ts';

const schema = JSON.parse(fs.readFileSync(runFileSchemaPath, 'utf8')) as JsonSchema;

/** Returns each message with the text it underlines. */
function findFaults(text: string): [string, string][] {
	return parseRunFile(text, schema, english).faults.map(({ message, offset, length }) => [message, text.slice(offset, offset + length)]);
}

describe('structure of a run file', () => {
	it('accepts the body of a run request', () => {
		const files = [
			{ type: 'document', transfer_method: 'remote_url', url: 'https://example.com/a.pdf' },
			{ type: 'image', transfer_method: 'local_file', upload_file_id: 'f1' },
			{ $file: './b.pdf', type: 'document' },
		];
		const body = {
			$schema: 'x',
			model: 'a',
			inputs: { text: { $file: './t.md' }, n: 1 },
			response_mode: 'blocking',
			user: 'ana',
			files,
			trace_id: 'kept',
		};
		assert.deepEqual(findFaults(JSON.stringify(body)), []);
	});

	it('accepts a file without user and response_mode, which have default values', () => {
		assert.deepEqual(findFaults('{"model":"a","inputs":{}}'), []);
	});

	const cases: [what: string, text: string, message: string, underlined: string][] = [
		['invalid JSON', '{"model": "a",\n "inputs" {}}', 'Invalid JSON at line 2, column 11. Expected a colon.', '{'],
		['a comment', '// hi\n{}', 'Invalid JSON at line 1, column 1. Expected no comment.', '// hi'],
		['an empty file', ' ', "The file is empty. Expected a JSON object with 'model' and 'inputs'.", ' '],
		['a list', '[]', "The file contains a list. Expected an object with 'model' and 'inputs'.", '['],
		['a missing model', '{"inputs":{}}', "'model' is missing. Expected a non-empty string.", '{'],
		['an empty model', '{"model":"","inputs":{}}', "'model' is empty. Expected a non-empty string.", '""'],
		['a model of another type', '{"model":5,"inputs":{}}', "'model' is a number. Expected a non-empty string.", '5'],
		['missing inputs', '{"model":"a"}', "'inputs' is missing. Expected an object.", '{'],
		['inputs of another type', '{"model":"a","inputs":[1]}', "'inputs' is a list. Expected an object.", '['],
		[
			'a wrong mode',
			'{"model":"a","inputs":{},"response_mode":"stream"}',
			'\'response_mode\' is "stream". Expected "streaming" or "blocking".',
			'"stream"',
		],
		['user of another type', '{"model":"a","inputs":{},"user":7}', "'user' is a number. Expected a non-empty string.", '7'],
		['files of another type', '{"model":"a","inputs":{},"files":{}}', "'files' is an object. Expected a list.", '{'],
		[
			'a file without its method',
			'{"model":"a","inputs":{},"files":[{"type":"image"}]}',
			'\'files[0].transfer_method\' is missing. Expected "remote_url" or "local_file".',
			'{',
		],
		[
			'an unknown method',
			'{"model":"a","inputs":{},"files":[{"type":"image","transfer_method":"ftp"}]}',
			'\'files[0].transfer_method\' is "ftp". Expected "remote_url" or "local_file".',
			'"ftp"',
		],
		[
			'a remote file without URL',
			'{"model":"a","inputs":{},"files":[{"type":"image","transfer_method":"remote_url"}]}',
			"'files[0].url' is missing. Expected a non-empty string.",
			'{',
		],
		[
			'an unknown file type',
			'{"model":"a","inputs":{},"files":[{"type":"pdf","transfer_method":"local_file","upload_file_id":"x"}]}',
			'\'files[0].type\' is "pdf". Expected "document", "image", "audio", "video" or "custom".',
			'"pdf"',
		],
		[
			'a local file of another type',
			'{"model":"a","inputs":{"t":{"$file":5}}}',
			"'inputs.t.$file' is a number. Expected a non-empty string.",
			'5',
		],
		[
			'a local file with another field',
			'{"model":"a","inputs":{"t":{"$file":"a","encoding":"x"}}}',
			'\'inputs.t.encoding\' isn\'t a known field here. Expected "$file" or "type".',
			'"encoding"',
		],
	];
	for (const [what, text, message, underlined] of cases) {
		it(`reports ${what}`, () => assert.deepEqual(findFaults(text), [[message, underlined]]));
	}

	it('reports several problems, each at its position', () => {
		assert.deepEqual(
			findFaults('{"inputs":3,"user":""}').map(([message]) => message),
			[
				"'model' is missing. Expected a non-empty string.",
				"'inputs' is a number. Expected an object.",
				"'user' is empty. Expected a non-empty string.",
			],
		);
	});
});

const createVariable = (name: string, type: string, more: Partial<AgentVariable> = {}): AgentVariable => ({
	variable: name,
	label: name,
	type,
	required: false,
	...more,
});
const createAgent = (name: string, variables: AgentVariable[], error: string | null = null): AgentSummary => ({
	name,
	mode: 'workflow',
	description: '',
	published: true,
	draft: false,
	workflow_id: null,
	file: `/agents/${name}.yml`,
	variables,
	error,
	updated_at: 0,
});
const agents = [
	createAgent('summarize', [
		createVariable('text', 'paragraph', { required: true, max_length: 5 }),
		createVariable('sentences', 'number'),
		createVariable('tone', 'select', { options: ['dry', 'warm'] }),
		createVariable('short', 'checkbox'),
		createVariable('options', 'json_object'),
		createVariable('source', 'file'),
		createVariable('more', 'file-list'),
	]),
	createAgent('broken', [], 'line 3: no start node'),
];

/** Returns the message, severity and underlined text of each problem. */
function findAgentFaults(body: object): [string, string, string][] {
	const text = JSON.stringify(body);
	const file = parseRunFile(text, schema, english);
	assert.deepEqual(file.faults, []);
	return checkAgent(file, agents, 'Built-in gateway', english).map(({ message, severity, offset, length }) => [
		message,
		severity,
		text.slice(offset, offset + length),
	]);
}

describe('validation of a run file against the agents of its connection', () => {
	it('accepts values of the right types', () => {
		const inputs = {
			text: 'ab\u{1F600}cd',
			sentences: '5',
			tone: 'dry',
			short: true,
			options: {},
			source: { $file: 'a' },
			more: [{ $file: 'b' }],
		};
		assert.deepEqual(findAgentFaults({ model: 'summarize', inputs }), []);
	});

	it('warns about an empty required value', () => {
		const [agentOf] = [
			createAgent('ask', [
				createVariable('q', 'text-input', { required: true }),
				createVariable('files', 'file-list', { required: true }),
				createVariable('note', 'text-input'),
			]),
		];
		const text = '{"model":"ask","inputs":{"q":" ","files":[],"note":""}}';
		const faults = checkAgent(parseRunFile(text, schema, english), [agentOf!], 'Built-in gateway', english);
		assert.deepEqual(
			faults.map(({ code, severity, message, offset, length }) => [code, severity, message, text.slice(offset, offset + length)]),
			[
				['empty-input', 'warning', "'inputs.q' is empty, but 'ask' requires a string.", '" "'],
				['empty-input', 'warning', "'inputs.files' is empty, but 'ask' requires a list of files.", '['],
			],
		);
	});

	it('reports an unknown agent with the existing ones and a suggestion', () => {
		const text = '{"model":"sumarize","inputs":{}}';
		const [fault] = checkAgent(parseRunFile(text, schema, english), agents, 'Built-in gateway', english);
		assert.equal(fault?.message, "'model' is 'sumarize', but 'Built-in gateway' has no such agent. Expected one of summarize, broken.");
		assert.deepEqual(fault?.suggestions, ['summarize']);
	});

	it('only warns if the agents are known by name from the settings', () => {
		const named = [{ ...createAgent('other', []), mode: '', file: null }];
		const checkModel = (model: string) =>
			checkAgent(parseRunFile(JSON.stringify({ model, inputs: { a: 1 } }), schema, english), named, 'Dify', english);
		assert.deepEqual(
			checkModel('summarize').map(({ code, severity }) => [code, severity]),
			[['unknown-agent', 'warning']],
		);
		assert.deepEqual(checkModel('other'), []);
	});

	it("reports why an agent can't run", () => {
		assert.deepEqual(findAgentFaults({ model: 'broken', inputs: {} }), [
			["Agent 'broken' in 'model' can't run: line 3: no start node", 'error', '"broken"'],
		]);
	});

	const cases: [what: string, inputs: object, message: string, severity: string, underlined: string][] = [
		[
			'a missing variable',
			{},
			"'inputs.text' is missing. Expected a string with a maximum length of 5, required by 'summarize'.",
			'error',
			'"inputs"',
		],
		[
			'a null for a required variable',
			{ text: null },
			"'inputs.text' is missing. Expected a string with a maximum length of 5, required by 'summarize'.",
			'error',
			'null',
		],
		['a number for a text', { text: 4 }, "'inputs.text' is 4. Expected a string with a maximum length of 5.", 'error', '4'],
		[
			'a text that is too long',
			{ text: 'abcdef' },
			"'inputs.text' is too long (6 characters). Expected a string with a maximum length of 5.",
			'error',
			'"abcdef"',
		],
		['a string for a number', { text: 'a', sentences: 'few' }, '\'inputs.sentences\' is "few". Expected a number.', 'error', '"few"'],
		['an unknown option', { text: 'a', tone: 'cold' }, '\'inputs.tone\' is "cold". Expected one of "dry", "warm".', 'error', '"cold"'],
		['a string for a boolean', { text: 'a', short: 'yes' }, '\'inputs.short\' is "yes". Expected true or false.', 'error', '"yes"'],
		['a list for an object', { text: 'a', options: [] }, "'inputs.options' is a list. Expected an object.", 'error', '['],
		['a string for a file', { text: 'a', source: 'a.pdf' }, '\'inputs.source\' is "a.pdf". Expected a file.', 'error', '"a.pdf"'],
		[
			'an object for a list of files',
			{ text: 'a', more: { $file: 'a' } },
			"'inputs.more' is an object. Expected a list of files.",
			'error',
			'{',
		],
		[
			'an unknown input',
			{ text: 'a', txt: 1 },
			"'inputs.txt' isn't an input of 'summarize' and will be ignored. Its inputs: text, sentences, tone, short, options, source, more.",
			'warning',
			'"txt"',
		],
	];
	for (const [what, inputs, ...expected] of cases) {
		it(`reports ${what}`, () => assert.deepEqual(findAgentFaults({ model: 'summarize', inputs }), [expected]));
	}
});

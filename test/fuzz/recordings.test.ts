import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RecordingFormatError, scanRecording } from '#contract/recordings/scanRecording.ts';
import { CodeRunner } from '#engine/code/codeRunner.ts';
import { formatEntry, parseEntry } from '#engine/recordings/entryText.ts';
import { RecordingSession } from '#engine/recordings/recordingSession.ts';
import { RunRecording } from '#engine/recordings/runRecording.ts';
import type { EngineServices } from '#engine/run/engineTypes.ts';
import { runWorkflow } from '#engine/run/run.ts';
import { updateRecordingText } from '#runs/recordings/recordingFile.ts';
import { createRandomAgent, createRandomServices, type RandomNode } from '../unit/engine/recordings/recordedGraph.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const kinds = ['model', 'http', 'python', 'tool', 'knowledge', 'template', 'javascript'] as const;
/** A chain of one node of each kind, without parallel branches, so that each run of it asks the same. */
const agent = createRandomAgent(kinds.map((kind, at): RandomNode => ({ kind, after: at, uses: 0, variant: 0, inner: [] })));

/** Text that means something in YAML or in a recording. */
const fragments = [
	'---\n',
	'\n',
	'reply: ',
	'error: { message: no }\n',
	'error: 5\n',
	'key: model:5f2c9e1a03bb\n',
	'&a ',
	'*a',
	'!!js/function ',
	'{ $part: ../../x }',
	`{ $part: ${'0'.repeat(32)}.json }`,
	'⟦secret 0 KEY⟧',
	'⟦number⟧',
	'null',
	'[[[[[[[[',
	'{ __proto__: { status: 1 } }',
	'chunks: [ [ -1, -1 ], [ 1e9, 1e9 ], 5 ]',
	'\u2028',
	'\r\n',
	'\0',
	'? ',
	'<<: ',
	'"',
];
/** A change of a text: what is removed at a position, and inserted there. */
const edit = fc.record({
	at: fc.nat(1_000_000),
	remove: fc.oneof(fc.nat(3), fc.nat(400)),
	insert: fc.oneof(fc.constant(''), fc.constantFrom(...fragments), fc.string()),
});

function changeText(
	text: string,
	{ at, remove, insert }: { readonly at: number; readonly remove: number; readonly insert: string },
): string {
	const start = at % (text.length + 1);
	return text.slice(0, start) + insert + text.slice(start + remove);
}

describe('recordings', () => {
	const code = new CodeRunner();
	const parts = { readPart: () => assert.fail('no part'), redactText: (text: string) => text };
	let recorded: string;
	after(() => code.close());

	async function run(session: RecordingSession, services: EngineServices) {
		const ids = { runId: 'run', taskId: 'task', workflowId: 'workflow', appId: 'app', sequenceNumber: 1, files: [], user: 'ana' };
		const recording = { run: new RunRecording(session, { id: 'r' }), path: '' };
		const { signal } = new AbortController();
		const options = { ...ids, inputs: { word: 'tide', items: [] }, signal, recording, emit: () => {} };
		return (await runWorkflow(agent, options, { ...services, code })).data;
	}

	before(async () => {
		const session = new RecordingSession({ mode: 'new' }, parts);
		await run(session, createRandomServices().services);
		const { calls } = session.takeCalls();
		recorded = updateRecordingText('', { calls, used: new Set(), renewed: [], creator: 'a test' }).text;
		assert.ok(calls.length >= kinds.length - 1);
	});

	it('read what was written, whatever a reply contains', () => {
		const head = { key: 'http:5f2c9e1a03bb', case: 'a', node: 'n', call: 1 };
		const texts = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.constantFrom(...fragments),
			fc.array(fc.constantFrom(...fragments)).map(each => each.join('')),
		);
		const values = fc.letrec(tie => ({
			value: fc.oneof(
				{ depthSize: 'small' },
				texts,
				fc.integer(),
				fc.double({ noNaN: true, noDefaultInfinity: true }),
				fc.boolean(),
				fc.constant(null),
				fc.array(tie('value')),
				fc.dictionary(texts, tie('value')),
			),
		})).value;
		fc.assert(
			fc.property(values, texts, (reply, name) => {
				const { text, parts: files } = formatEntry({ ...head, case: name }, { request: { reply }, reply: { reply } });
				const { text: file } = updateRecordingText('', { calls: [], used: new Set(), renewed: [], creator: 'a test' });
				const [document, ...others] = scanRecording(`${file === '' ? 'recording: 1\n' : file}---\n${text}`);
				assert.deepEqual(others, []);
				assert.equal(document?.case, name);
				const readPart = (wanted: string) => files.find(each => each.name === wanted)?.content ?? assert.fail(wanted);
				const content = parseEntry(document?.text ?? '', 1, readPart);
				const written = JSON.parse(JSON.stringify({ reply })) as unknown;
				assert.deepEqual(JSON.parse(JSON.stringify([content.request, content.reply])), [written, written]);
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('that were damaged are refused with a message that names the line, or replayed', async () => {
		const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async edits => {
			const text = edits.reduce(changeText, recorded);
			let session: RecordingSession;
			try {
				session = new RecordingSession({ mode: 'none', text }, parts);
			} catch (error) {
				assert.ok(error instanceof RecordingFormatError, String(error));
				return;
			}
			const { services, calls } = createRandomServices();
			const { status, error } = await run(session, services);
			assert.deepEqual(calls, []);
			assert.ok(status === 'failed' || status === 'succeeded' || status === 'partial-succeeded', status);
			assert.doesNotMatch(String(error), /Cannot read|not a function|not iterable|undefined|call stack/);
		});
		await fc.assert(property, { numRuns: fuzzRuns });
	});

	it('that were cut off are refused, or replay what is left of them', async () => {
		const property = fc.asyncProperty(fc.nat(100_000), async length => {
			const text = recorded.slice(0, length % recorded.length);
			const ended = async () => run(new RecordingSession({ mode: 'none', text }, parts), createRandomServices().services);
			const error = await ended().then(data => data.error, String);
			assert.match(String(error), /No recorded reply|The entry at line|RecordingFormatError|^null$/);
		});
		await fc.assert(property, { numRuns: fuzzRuns });
	});
});

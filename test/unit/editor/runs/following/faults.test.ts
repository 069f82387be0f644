import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { saveAudio } from '#editor/runs/following/runAudio.ts';
import { getOutputUri, getRecordUri } from '#editor/runs/following/runDocumentProvider.ts';
import { EventJournals } from '#runs/history/eventJournals.ts';
import { isRunFinished } from '#runs/runStatus.ts';
import { WindowUnderTest } from '../../../../support/editor/windowUnderTest.ts';
import { EventWriter, play, sendJson } from '../../../../support/services/faultService.ts';

describe('a run on a failing service', () => {
	let window: WindowUnderTest;
	const { ids } = play;

	beforeEach(async () => {
		window = new WindowUnderTest();
		await window.start();
	});
	afterEach(() => window.dispose());

	/** Makes the service stream the events of a run with `write`. */
	const streamEvents = (write: (events: EventWriter) => Promise<void>) => {
		window.service.behaviour.run = response => write(new EventWriter(response));
	};
	/** Returns the events and notes in the document of the latest run's record. */
	const getRecord = async () => {
		const text = await window.runs.documents.provideTextDocumentContent(getRecordUri(window.latest));
		return JSON.parse(text) as {
			events: { event: string }[];
			notes: string[];
			outputs: unknown;
			request: unknown;
			detail?: { status: string };
		};
	};

	it('writes all events to the channel, the record and the outputs', async () => {
		streamEvents(async events => {
			await events.sendEvents(play.started, play.nodeStarted(1), play.nodeFinished(1), { event: 'brand_new', ...ids, data: { a: 1 } });
			await events.sendBytes('event: ping\n\n');
			await events.sendEvents(play.finished('succeeded', { text: 'x'.repeat(5000) }));
			events.endStream();
		});
		const record = await window.runFile({ model: 'played', inputs: { a: 1 } });
		assert.equal(record?.status, 'succeeded');
		assert.equal(record?.runId, ids.workflow_run_id);
		const { events, request } = await getRecord();
		assert.deepEqual(
			events.map(({ event }) => event),
			['workflow_started', 'node_started', 'node_finished', 'brand_new', 'workflow_finished'],
		);
		assert.deepEqual(request, { model: 'played', inputs: { a: 1 }, user: 'ana', response_mode: 'streaming' });
		assert.equal(await window.runs.documents.provideTextDocumentContent(getOutputUri(window.latest, 'text')), 'x'.repeat(5000));
		assert.match(window.channel.text, /▷ played {2}run 0000cafe {2}played\.run\.json {2}Played service · streaming · user ana\n/);
		assert.match(window.channel.text, /\? brand_new +\{"a":1\}\n/);
		assert.match(window.channel.text, /■ succeeded {2}1\.25 s {2}7 tokens {2}3 steps\n.* text: "x+… \(5,000 characters: open\)\n$/);
		assert.doesNotMatch(window.channel.text, /ping/);
	});

	it('is looked up after its stream was cut, and keeps the events received before', async () => {
		streamEvents(async events => {
			await events.sendEvents(play.started, play.nodeStarted(1));
			await window.waitForRun(record => record.node !== undefined);
			events.breakConnection();
		});
		window.service.behaviour.detail = response => sendJson(response, play.detail('succeeded', { text: 'whole' }));
		const record = await window.runFile();
		assert.equal(record?.status, 'succeeded');
		assert.deepEqual(record?.outputs, { text: 'whole' });
		const { events, notes, detail } = await getRecord();
		assert.deepEqual(
			events.map(({ event }) => event),
			['workflow_started', 'node_started'],
		);
		assert.match(notes[0] ?? '', /The stream ended before the run did: .*Looking up the run by ID/);
		assert.equal(detail?.status, 'succeeded');
		assert.match(window.channel.text, /… The stream ended before the run did/);
	});

	it('is marked as lost if the service cut its stream and forgot it', async () => {
		streamEvents(async events => {
			await events.sendEvents(play.started, play.nodeStarted(1));
			await window.waitForRun(record => record.node !== undefined);
			events.breakConnection();
		});
		const record = await window.runFile();
		assert.equal(record?.status, 'lost');
		assert.match(window.channel.text, /… Couldn't find out how the run ended/);
		assert.equal((await getRecord()).events.length, 2);
	});

	it('continues if the service refuses to stop it, and reports the refusal', async () => {
		const goOn = Promise.withResolvers<void>();
		streamEvents(async events => {
			await events.sendEvents(play.started);
			await goOn.promise;
			await events.sendEvents(play.finished('succeeded'));
			events.endStream();
		});
		window.service.behaviour.stop = response => sendJson(response, { code: 'forbidden', message: 'Not yours.', status: 403 }, 403);
		const ended = window.runFile();
		await window.waitForRun(record => record.taskId !== undefined);
		await window.stop();
		await window.waitForRun(record => record.status === 'stopping');
		await window.waitForRun(record => record.status === 'running');
		goOn.resolve();
		assert.equal((await ended)?.status, 'succeeded');
		assert.match((await getRecord()).notes[0] ?? '', /^\S+ Couldn't stop the run: .*Not yours.*It's still running\.$/);
	});

	it("isn't called stopped while it's still running after a confirmed stop", async () => {
		const goOn = Promise.withResolvers<void>();
		let asked = 0;
		streamEvents(async events => {
			await events.sendEvents(play.started);
			await goOn.promise;
			await events.sendEvents(play.nodeFinished(2), play.finished('succeeded'));
			events.endStream();
		});
		window.service.behaviour.stop = response => sendJson(response, { result: 'success' });
		window.service.behaviour.detail = response => {
			sendJson(response, play.detail('running', null));
			if (++asked === 3) {
				goOn.resolve();
			}
		};
		const ended = window.runFile();
		await window.waitForRun(record => record.taskId !== undefined);
		await window.stop();
		await goOn.promise;
		assert.equal(window.latest.status, 'stopping');
		assert.equal((await ended)?.status, 'succeeded');
		assert.deepEqual(
			(await getRecord()).events.map(({ event }) => event),
			['workflow_started', 'node_finished', 'workflow_finished'],
		);
	});

	it('sends a stop that was requested before the task ID was known', async () => {
		const name = Promise.withResolvers<void>();
		const stopped = Promise.withResolvers<void>();
		streamEvents(async events => {
			await name.promise;
			await events.sendEvents(play.started);
			await stopped.promise;
			await events.sendEvents(play.finished('stopped', null));
			events.endStream();
		});
		window.service.behaviour.stop = (response, body) => {
			assert.deepEqual(body, { model: 'played', user: 'ana' });
			sendJson(response, { result: 'success' });
			stopped.resolve();
		};
		window.service.behaviour.detail = response => sendJson(response, play.detail('running', null));
		const ended = window.runFile();
		await window.waitForRun(record => record.status === 'starting');
		await window.stop();
		assert.equal(window.latest.status, 'stopping');
		name.resolve();
		assert.equal((await ended)?.status, 'stopped');
		assert.ok(window.service.requests.includes(`POST /v1/agent/workflows/tasks/${ids.task_id}/stop`));
	});

	it('is found again after the service restarted', async () => {
		streamEvents(async events => {
			await events.sendEvents(play.started);
		});
		window.service.behaviour.detail = response => sendJson(response, play.detail('failed', null));
		const ended = window.runFile();
		await window.waitForRun(record => record.runId !== undefined);
		await window.service.stop();
		await new Promise(resolve => setTimeout(resolve, 300));
		await window.service.start();
		assert.equal((await ended)?.status, 'failed');
		assert.match((await getRecord()).notes[0] ?? '', /The stream ended before the run did/);
	});

	it('loses none of 10,000 node events', async () => {
		streamEvents(async events => {
			await events.sendEvents(play.started);
			for (let index = 1; index <= 5000; index += 50) {
				const some = Array.from({ length: 50 }, (_, at) => [play.nodeStarted(index + at), play.nodeFinished(index + at)]).flat();
				await events.sendEvents(...some);
			}
			await events.sendEvents(play.finished('succeeded'));
			events.endStream();
		});
		assert.equal((await window.runFile())?.status, 'succeeded');
		const { text, appends } = window.channel;
		assert.equal(text.match(/│ ✔ code/g)?.length, 5000);
		assert.ok(appends.length < 2000, `${appends.length} appends`);
		assert.equal((await getRecord()).events.length, 10_002);
	});

	it('shows the start of a 50 MB output, and opens the complete output', async () => {
		const text = 'Zoë and 50 MB. '.repeat(3_400_000);
		streamEvents(async events => {
			await events.sendEvents(play.started, play.finished('succeeded', { text }));
			events.endStream();
		});
		const record = await window.runFile();
		assert.equal(record?.status, 'succeeded');
		assert.equal(record?.outputs, undefined, 'too large for the history');
		assert.ok(window.channel.text.length < 2000);
		assert.equal(await window.runs.documents.provideTextDocumentContent(getOutputUri(window.latest, 'text')), text);
		assert.ok((await window.runs.documents.provideTextDocumentContent(getRecordUri(window.latest))).length < 5_000_000);
	});

	it('shows the readable part of invalid UTF-8', async () => {
		streamEvents(async events => {
			await events.sendEvents(play.started);
			const finished = Buffer.from(`data: ${JSON.stringify(play.finished('succeeded', { text: 'Zo# end' }))}\n\n`);
			finished[finished.indexOf('#')] = 0xeb;
			await events.sendBytes(finished);
			events.endStream();
		});
		const record = await window.runFile();
		assert.equal(record?.status, 'succeeded');
		assert.deepEqual(record?.outputs, { text: 'Zo\ufffd end' });
	});

	it('saves its audio chunks in one file', async () => {
		const createAudioChunk = (text: string) => ({
			event: 'tts_message',
			...ids,
			created_at: 1,
			audio: Buffer.from(text).toString('base64'),
		});
		streamEvents(async events => {
			await events.sendEvents(
				play.started,
				createAudioChunk('first '),
				createAudioChunk('second'),
				{ ...createAudioChunk(''), event: 'tts_message_end' },
				play.finished('succeeded'),
			);
			events.endStream();
		});
		await window.runFile();
		const folder = path.join(window.folder, 'audio');
		const journal = new EventJournals(path.join(window.folder, 'runs'), assert.ifError);
		const file = await saveAudio(journal, window.latest.key, folder);
		assert.ok(file);
		assert.equal(path.extname(file), '.mp3');
		assert.equal(fs.readFileSync(file, 'utf8'), 'first second');
		assert.match(window.channel.text, /♪ tts_message_end {5}audio: open\n/);
	});

	it('has links in the channel to the inspector, the run file and a complete output', async () => {
		streamEvents(async events => {
			await events.sendEvents(play.started, play.finished('succeeded', { text: 'x'.repeat(500) }));
			events.endStream();
		});
		await window.runFile();
		const document = await vscode.workspace.openTextDocument({ content: window.channel.text });
		const links = await window.runs.links.provideDocumentLinks(document);
		assert.deepEqual(
			links.map(({ range, target }) => [document.getText(range), target?.toString()]),
			[
				['0000cafe', `command:agentWorkbench.run.inspect?${encodeURIComponent(JSON.stringify([window.latest.key]))}`],
				['played.run.json', window.latest.file],
				['500 characters: open', getOutputUri(window.latest, 'text').toString()],
			],
		);
	});

	it('shows the message of a service that refuses it', async () => {
		window.service.behaviour.run = response =>
			sendJson(response, { code: 'invalid_param', message: 'Workflow not published', status: 400 }, 400);
		const record = await window.runFile();
		assert.equal(record?.status, 'failed');
		assert.match(record?.error ?? '', /Workflow not published/);
		assert.match(window.channel.text, /■ failed {2}.*Workflow not published/);
	});

	it('is found again by its ID when the window opens again', async () => {
		streamEvents(async events => events.sendEvents(play.started, play.nodeStarted(1)));
		window.service.behaviour.detail = response => sendJson(response, play.detail('succeeded', { text: 'meanwhile' }));
		void window.runFile();
		const { key } = await window.waitForRun(record => record.node !== undefined);
		window.reopenWindow();
		const record = await window.waitForRun(isRunFinished);
		assert.equal(record.key, key);
		assert.deepEqual(record.outputs, { text: 'meanwhile' });
		assert.equal((await getRecord()).events.length, 2, 'what had come is still there');
	});

	const wrongFiles: [body: unknown, message: string][] = [
		['{"model":', 'Invalid JSON at line 1, column 10. Expected a value.'],
		[{ inputs: {} }, "'model' is missing. Expected a non-empty string."],
		[{ model: 'played', inputs: [] }, "'inputs' is a list. Expected an object."],
		[{ model: 'played', inputs: {}, response_mode: 'slow' }, '\'response_mode\' is "slow". Expected "streaming" or "blocking".'],
		[
			{ model: 'played', inputs: { text: { $file: '../x' } } },
			"'inputs.text': '../x' is outside the workspace folder. Expected a file inside it.",
		],
	];
	for (const [body, message] of wrongFiles) {
		it(`sends nothing for an invalid run file: ${message}`, async () => {
			await assert.rejects(window.runFile(body, 'wrong.run.json'), {
				name: 'Problem',
				message: `'wrong.run.json' wasn't sent: ${message}`,
			});
			assert.deepEqual(window.records.list(), []);
			assert.ok(!window.service.requests.some(request => request.endsWith('/run')));
		});
	}

	it('sends nothing for a run file with several problems, and reports the first and the number of others', async () => {
		const message = "'wrong.run.json' wasn't sent: 'model' is missing. Expected a non-empty string. (1 more in Problems)";
		await assert.rejects(window.runFile({ inputs: 1 }, 'wrong.run.json'), { message });
	});
});

import { isDeepStrictEqual } from 'node:util';
import type { WorkflowEvent } from '#contract/events.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { CodeRunner } from '#engine/code/codeRunner.ts';
import { DocumentReader } from '#engine/documents/documentReader.ts';
import { Templates } from '#engine/jinja/templates.ts';
import type { EngineServices, RunOptions } from '#engine/run/engineTypes.ts';
import { runAgent } from '#engine/run/run.ts';
import { Turns } from '#engine/run/turns.ts';
import { Redactor } from '#network/redaction.ts';
import type { DslCase, DslRun } from './caseFile.ts';
import { findEventDifference } from './compareEvents.ts';
import { FakeModels } from './fakeModels.ts';
import { FakeService } from './fakeService.ts';
import { mockNodes } from './mockNodes.ts';

/** Runs all runs of a case. @returns the first difference from the record; `undefined` if there is none */
export async function runCase(dslCase: DslCase): Promise<string | undefined> {
	for (const [index, run] of dslCase.runs.entries()) {
		const difference = await runRecordedRun(dslCase, run);
		if (difference !== undefined) {
			return `run ${index + 1}: ${difference}`;
		}
	}
	return undefined;
}

async function runRecordedRun(dslCase: DslCase, run: DslRun): Promise<string | undefined> {
	const service = run.http && new FakeService(run.http);
	await service?.start();
	try {
		return await findRunDifference(dslCase, run, service);
	} finally {
		service?.close();
	}
}

async function findRunDifference(dslCase: DslCase, run: DslRun, service: FakeService | undefined): Promise<string | undefined> {
	const agent = loadAgent(service?.insertServiceAddress(dslCase.agentText) ?? dslCase.agentText, dslCase.agentFile);
	const events: WorkflowEvent[] = [];
	const options: RunOptions = {
		runId: 'run',
		taskId: 'task',
		workflowId: 'workflow',
		appId: 'app',
		sequenceNumber: 1,
		...(run.root !== undefined && { root: run.root }),
		inputs: run.inputs,
		files: [],
		user: 'ana',
		chat: { query: run.query ?? '', conversationId: 'conversation', dialogueCount: 1, variables: {}, history: [] },
		mayPause: true,
		signal: new AbortController().signal,
		emit: event => events.push(event),
	};
	const models = new FakeModels(run.model_replies);
	const execute = mockNodes(run, dslCase.order === 'exact', models, service);
	const around = { ...services, files: createCaseFiles(run) };
	let outcome = await runAgent(agent, options, around, execute);
	for (const answers of outcome.paused ? (run.form_rounds ?? []) : []) {
		// copies the state like a store does
		const paused = JSON.parse(JSON.stringify(outcome.paused));
		outcome = await runAgent(agent, options, around, execute, { paused, answers });
	}
	const { data, skippedNodes } = service?.replaceServiceAddress(outcome) ?? outcome;
	const { skipped_nodes } = run.expected;
	// this engine hides secrets in node reports and errors (src/engine/README.md)
	const hidden = new Redactor(agent.secrets);
	const final = { ...run.expected.final, error: hidden.redactValue(run.expected.final.error) };
	const recorded = run.expected.events.map(event => (event.event.startsWith('node_') ? hidden.redactValue(event) : event));
	const loose = dslCase.tags.has('python-error-text');
	const actual = {
		status: data.status,
		outputs: data.outputs,
		error: loose && data.error ? final.error : data.error,
		exceptions_count: data['exceptions_count'],
		total_steps: data.total_steps,
		total_tokens: data.total_tokens,
	};
	for (const field of ['status', 'error', 'outputs', 'exceptions_count', 'total_steps', 'total_tokens'] as const) {
		if (!isDeepStrictEqual(actual[field], final[field])) {
			return `${field}: expected ${JSON.stringify(final[field])}, got ${JSON.stringify(actual[field])}${field === 'status' ? ` (${data.error})` : ''}`;
		}
	}
	if (!isDeepStrictEqual(skippedNodes, [...skipped_nodes].sort())) {
		return `skipped_nodes: expected ${JSON.stringify(skipped_nodes)}, got ${JSON.stringify(skippedNodes)}`;
	}
	return (
		findEventDifference(dslCase, recorded, service?.replaceServiceAddress(events) ?? events) ??
		findCallDifference('model_calls', run.expected.model_calls, models.calls) ??
		findCallDifference('http_calls', run.expected.http_calls, service?.calls ?? [])
	);
}

function findCallDifference(what: string, expected: readonly object[] = [], calls: readonly object[]): string | undefined {
	return isDeepStrictEqual(calls, expected) ? undefined : `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(calls)}`;
}

function createCaseFiles({ uploads = {} }: DslRun): EngineServices['files'] {
	return {
		describeUpload: id => {
			const upload = uploads[id];
			return upload && { name: upload.name, mimeType: upload.mime_type, size: upload.size };
		},
		readUpload: id => Promise.resolve(Buffer.from(uploads[id]?.content ?? '')),
		add: () => Promise.reject(new Error('a case keeps no files')),
	};
}

/** Services of all cases. Models are only called as a case defines. */
const services: Omit<EngineServices, 'files'> = {
	models: new FakeModels().createNodeModel('', false),
	settings: { allowPrivateNetwork: true, network: {} },
	code: new CodeRunner(),
	templates: new Templates(),
	documents: new DocumentReader(),
	turns: new Turns(),
};

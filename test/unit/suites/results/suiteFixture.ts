import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { SuiteContext } from '#suites/reading/readContext.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { ConnectionPace } from '#suites/running/connectionPace.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import { SuiteRunner, type SuiteRunOptions } from '#suites/running/suiteRunner.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';
import type { ReadSuite, Suite } from '#suites/suite.ts';

/** Code of the check threads, from source. */
export const checkThread = new URL('../../../../src/suites/checks/thread/checkThread.ts', import.meta.url);

/** Returns an agent with these variables; its file doesn't exist. */
export function createAgent(
	name: string,
	variables: readonly (Partial<AgentSummary['variables'][number]> & { variable: string })[] = [],
): AgentSummary {
	return {
		name,
		mode: 'workflow',
		description: '',
		published: true,
		draft: false,
		workflow_id: null,
		file: null,
		variables: variables.map(each => ({ label: each.variable, type: 'paragraph', required: false, ...each })),
		error: null,
		updated_at: 0,
	};
}

/** A folder with suites and everything to run them; removed by {@link close}. */
export class SuiteFixture {
	readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'suites-test-')));
	readonly runner = new SuiteRunner({ checkThread });
	readonly resultFile = path.join(this.folder, 'results', 'one.results.jsonl');
	readonly #clients: ServiceClient[] = [];

	/** Writes a file and returns its path. */
	writeFile(name: string, content: unknown): string {
		const file = path.join(this.folder, name);
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, '\t'));
		return file;
	}

	/** Reads a suite of the folder, which doesn't have to exist on disk. */
	async readSuite(content: unknown, context: Partial<SuiteContext> = {}): Promise<ReadSuite> {
		const text = typeof content === 'string' ? content : JSON.stringify(content, null, '\t');
		const given = { connection: 'local', agents: undefined, root: this.folder, t: fillPlaceholders, ...context };
		return readSuite(text, path.join(this.folder, 'one.suite.json'), given);
	}

	/** Reads a suite without problems. */
	async readValidSuite(content: unknown, context: Partial<SuiteContext> = {}): Promise<Suite> {
		const { suite, faults } = await this.readSuite(content, context);
		assert.deepEqual(
			faults.map(({ message }) => message),
			[],
		);
		assert.ok(suite);
		return suite;
	}

	/** Returns a service at an address. */
	createService(url: string, parts: Partial<SuiteService> = {}): SuiteService {
		const client = new ServiceClient({ baseUrl: url, kind: 'gateway', keys: {} });
		this.#clients.push(client);
		return {
			name: 'local',
			client,
			pace: new ConnectionPace(),
			agents: undefined,
			drafts: false,
			takesMocks: true,
			user: 'ci',
			placeholders: { workspaceFolder: this.folder, askInput: async () => undefined, environment: name => ({ WHO: 'the harbour' })[name] },
			...parts,
		};
	}

	/** Runs a suite and returns its events. */
	async runSuite(suite: Suite, service: SuiteService, options: Partial<SuiteRunOptions> = {}): Promise<SuiteEvent[]> {
		const events: SuiteEvent[] = [];
		for await (const event of this.runner.run(suite, service, { resultFile: this.resultFile, ...options })) {
			events.push(event);
		}
		return events;
	}

	async close(): Promise<void> {
		await this.runner.close();
		await Promise.all(this.#clients.map(client => client.close()));
		fs.rmSync(this.folder, { recursive: true });
	}
}

/** Returns the results among events, in the order of their cases. */
export function listResults(events: readonly SuiteEvent[]): readonly CaseResult[] {
	return events.flatMap(event => (event.type === 'result' ? [event.result] : [])).sort((a, b) => a.ordinal - b.ordinal);
}

/** Returns the last event of a batch. */
export function getEndEvent(events: readonly SuiteEvent[]): Extract<SuiteEvent, { type: 'finished' }> {
	const last = events.at(-1);
	assert.equal(last?.type, 'finished');
	return last as Extract<SuiteEvent, { type: 'finished' }>;
}

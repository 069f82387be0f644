import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RunData } from '../../../src/contract/workflows.ts';
import { loadAgent } from '../../../src/engine/agentFile/agentFile.ts';
import { CodeRunner } from '../../../src/engine/code/codeRunner.ts';
import { DocumentReader } from '../../../src/engine/documents/documentReader.ts';
import { Templates } from '../../../src/engine/jinja/templates.ts';
import type { EngineSettings, TextModels } from '../../../src/engine/run/engineTypes.ts';
import { Turns } from '../../../src/engine/run/turns.ts';
import { Log } from '../../../src/gateway/process/log.ts';
import { Engine } from '../../../src/gateway/runs/engine.ts';
import type { RunOrder } from '../../../src/gateway/runs/runOrder.ts';
import { RunRecorder } from '../../../src/gateway/runs/runRecorder.ts';
import { RunService } from '../../../src/gateway/runs/runService.ts';
import { RunSlots } from '../../../src/gateway/runs/runSlots.ts';
import { Store } from '../../../src/gateway/store/store.ts';

/** Runs agents like the gateway, with events and records in a separate store, but without HTTP. */
export interface Runner {
	run(text: string): Promise<RunData>;
}

const closers: (() => Promise<void>)[] = [];

export function createAgentRunner(models: TextModels, settings: Partial<EngineSettings> = {}, slots = 1_000): Runner {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'engine-bench-'));
	const log = new Log('json', () => {});
	const store = new Store(folder, 0, log);
	const code = new CodeRunner();
	const templates = new Templates();
	const engine = new Engine({
		models,
		settings: { allowPrivateNetwork: false, network: {}, ...settings },
		code,
		templates,
		documents: new DocumentReader(),
		turns: new Turns(),
		files: {
			describeUpload: () => undefined,
			readUpload: () => Promise.reject(new Error('no files in this bench')),
			add: () => Promise.reject(new Error('no files in this bench')),
		},
	});
	const recorder = new RunRecorder(store.runs, store.late, log);
	const runs = new RunService({ store, engine: async () => engine, slots: new RunSlots(slots), recorder, log });
	closers.push(async () => {
		await code.close();
		await templates.close();
		recorder.flushEvents();
		store.close();
		fs.rmSync(folder, { recursive: true, force: true });
	});
	const agents = new Map<string, RunOrder['target']>();
	const createRunTarget = (text: string): RunOrder['target'] => {
		const name = `bench-${agents.size}`;
		const { workflow_id: workflowId } = store.agents.publishVersion(name, text, Date.now());
		return { row: store.agents.ensureAgent(name), agent: loadAgent(text, `${name}.yml`), workflowId, draft: false, source: null };
	};
	return {
		async run(text) {
			const target = agents.get(text) ?? createRunTarget(text);
			agents.set(text, target);
			const prepared = await runs.prepareRun({ target, inputs: {}, files: [], user: 'bench', mode: 'streaming' });
			const { data } = await (await prepared.start(() => {})).done;
			if (data.status !== 'succeeded') {
				throw new Error(`the run ended with status ${data.status}: ${data.error}`);
			}
			return data;
		},
	};
}

export async function closeRunners(): Promise<void> {
	for (const close of closers.splice(0)) {
		await close();
	}
}

/** Models that are never called. */
export const noModels: TextModels = {
	streamReply: () => {
		throw new Error('no model in this bench');
	},
};

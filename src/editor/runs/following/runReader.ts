import type { WorkflowRunDetail, WorkflowRunRequest } from '#contract/workflows.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { type RunStory, readRunStory } from '#runs/events/runStory.ts';
import { parseOutputs } from '#runs/following/detailPoll.ts';
import type { EventJournals } from '#runs/history/eventJournals.ts';
import { hasRunText } from '#runs/history/runTexts.ts';
import { isRunFinished } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { parseServiceRunKey, type ServiceRunReference } from '#runs/serviceRun.ts';
import type { PastRun } from '../../suites/editing/runCase.ts';
import { chooseRun, getNoRunsMessage, getServiceRun } from './runChoice.ts';
import type { RunDocumentProvider } from './runDocumentProvider.ts';
import type { DeploymentDrafts } from './runServices.ts';
import { createRerunRequest } from './serviceRerun.ts';
import { type ServiceRuns, toRunRecord } from './serviceRuns.ts';
import type { StoredRequests } from './storedRequests.ts';

interface RunReaderParts {
	readonly records: Runs;
	readonly journals: EventJournals;
	readonly documents: Pick<RunDocumentProvider, 'readOutputs'>;
	readonly requests: StoredRequests;
	readonly serviceRuns: ServiceRuns;
	readonly drafts: Pick<DeploymentDrafts, 'findLinkedFile'>;
}

/** A run and its story, for a question about the run. */
export interface RunWithStory {
	readonly record: RunRecord;
	readonly story: RunStory;
}

/** Reads complete runs. Runs of this editor are read from their journals, other runs from their services. */
export class RunReader {
	readonly #parts: RunReaderParts;

	constructor(parts: RunReaderParts) {
		this.#parts = parts;
	}

	/** Returns the story of a run of this editor, for a question about the run. */
	readStory(key: string): Promise<RunStory> {
		return readRunStory(this.#parts.journals.readEntries(key));
	}

	/** Returns the keys of the runs that contain a text ({@link hasRunText}). */
	async findRunsWithText(records: readonly RunRecord[], text: string): Promise<ReadonlySet<string>> {
		const found = new Set<string>();
		for (const record of records) {
			if (await hasRunText(record, this.#parts.journals.readEntries(record.key), text)) {
				found.add(record.key);
			}
		}
		return found;
	}

	/** Returns a run of this editor with all of its outputs, because large outputs aren't in its record. */
	async readRun(record: RunRecord): Promise<RunWithStory> {
		const outputs = await this.#parts.documents.readOutputs(record);
		return { record: { ...record, outputs }, story: await this.readStory(record.key) };
	}

	/** Returns a run from its service. Rejects with the client's errors. */
	async readServiceRun(of: ServiceRunReference): Promise<RunWithStory> {
		const { serviceRuns } = this.#parts;
		const detail = await serviceRuns.fetchDetail(of);
		const record = toRunRecord(of, detail);
		return { record: { ...record, outputs: parseOutputs(detail) }, story: await readRunStory(serviceRuns.readEvents(of, record)) };
	}

	/** Returns the run with a key. A run of a Dify app includes the agent file that is linked to the app. */
	async findRun(key: string): Promise<RunRecord | undefined> {
		const { records, serviceRuns, drafts } = this.#parts;
		const of = parseServiceRunKey(key);
		if (!of?.app) {
			return records.get(key);
		}
		const file = await drafts.findLinkedFile(of.connectionId, of.app.id);
		return { ...toRunRecord(of, await serviceRuns.fetchDetail(of)), ...(file && { agentFile: file.toString() }) };
	}

	/** Yields all entries of a run. */
	async *readEntries(key: string): AsyncGenerator<JournalEntry> {
		const { journals, serviceRuns } = this.#parts;
		const of = parseServiceRunKey(key);
		yield* of ? serviceRuns.readEvents(of, toRunRecord(of, await serviceRuns.fetchDetail(of))) : journals.readEntries(key);
	}

	/** Returns the data of a finished run for a test case. Uses the run of the command's argument, or lets the user pick one. */
	async choosePastRun(argument: unknown): Promise<PastRun | undefined> {
		const { records, serviceRuns } = this.#parts;
		const of = getServiceRun(argument);
		if (of) {
			return toPastRun(of.agentName, await serviceRuns.fetchDetail(of));
		}
		const record = await chooseRun(argument, records, isRunFinished, getNoRunsMessage());
		return record && this.#createPastRun(record, await this.#parts.requests.getRequest(record));
	}

	/** Returns the finished runs of an agent that were started in this editor, newest first. */
	listFinishedRuns(connectionId: string, agent: string): readonly RunRecord[] {
		return this.#parts.records.list({ connectionId, agent }).filter(isRunFinished);
	}

	/** Returns the data of a run of this editor for a test case, or `undefined` if its request is gone. */
	async findPastRun(record: RunRecord): Promise<PastRun | undefined> {
		const request = await this.#parts.requests.findRequest(record);
		return request && this.#createPastRun(record, request);
	}

	async #createPastRun(record: RunRecord, request: WorkflowRunRequest): Promise<PastRun> {
		const { documents, requests } = this.#parts;
		return {
			...getCaseFields(request),
			secretPlaces: await requests.getSecretPlaces(record),
			agent: record.agent,
			status: record.status,
			outputs: (await documents.readOutputs(record)) ?? {},
		};
	}
}

/** Extracts the fields that a test case needs from a request. */
function getCaseFields(request: WorkflowRunRequest): { inputs: Readonly<Record<string, unknown>>; query?: string } {
	const query: unknown = request['query'];
	return { inputs: request.inputs, ...(typeof query === 'string' && { query }) };
}

/** Converts the details of a service's run to the data for a test case. */
function toPastRun(agent: string, detail: WorkflowRunDetail) {
	const request = createRerunRequest(detail, agent, '');
	return { ...getCaseFields(request), agent, status: detail.status, outputs: parseOutputs(detail) ?? {} };
}

import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ChannelLines } from '../../output/channelLines.ts';
import { JoinedTexts } from '../../output/joinedTexts.ts';
import type { WorkflowRunRequest } from '../../protocol/workflows.ts';
import type { JournalEntry } from '../../runEvents/journalEntry.ts';
import { readRunFile } from '../../runRequests/runFileRead.ts';
import { RunFollower } from '../../runs/runFollower.ts';
import type { RunRecord } from '../../runs/runTypes.ts';
import { plainWords as t } from '../../textChecks/plainWords.ts';
import type { JsonSchema } from '../../textChecks/schemaCheck.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { packageJson } from '../assets.ts';
import { CliFault, type ExitCode, exitCodes } from '../cliFault.ts';
import type { Interrupt } from '../interrupt.ts';
import { jsonLine, plain, tell, write } from '../output.ts';
import { openService, type Service } from '../service/openService.ts';
import { agentsOf, defaultUser, placeholders, uploaded } from '../service/requestParts.ts';

/** `agent-workbench run FILE`: the run's events as lines, as the editor's output channel has them, or as JSON. */
export async function run(given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	const file = path.resolve(given.operands[0]!);
	const text = readText(file);
	const service = await openService(given, [file], interrupt);
	try {
		const request = await requestOf(file, text, service);
		return interrupt.signal.aborted ? exitCodes.interrupted : await follow(file, request, service, given.has('json'), interrupt);
	} finally {
		await service.close();
	}
}

async function follow(
	file: string,
	request: WorkflowRunRequest,
	{ client, name, isBuiltIn }: Service,
	json: boolean,
	interrupt: Interrupt,
): Promise<ExitCode> {
	let record: RunRecord = {
		key: randomUUID(),
		connectionId: '',
		agent: request.model,
		user: request.user,
		mode: request.response_mode,
		startedAt: Date.now(),
		status: 'starting',
	};
	let failure: unknown;
	const lines = new ChannelLines(() => record, { connection: name, file: path.basename(file) });
	const texts = new JoinedTexts();
	const shown = (text: string) => text.split('\n').map(plain).join('\n');
	const show = (entry: JournalEntry) => process.stdout.write(json ? jsonLine(entry) : shown(texts.add(record.key, lines.write(entry))));
	const follower = new RunFollower({
		connect: async () => client,
		observer: {
			entry: show,
			change(patch) {
				record = { ...record, ...patch };
			},
			failed(error) {
				failure = error;
			},
		},
		...(isBuiltIn && {
			stream: (body: WorkflowRunRequest, options: { signal: AbortSignal }) => client.streamDraft(body, options),
		}),
	});
	interrupt.signal.addEventListener('abort', () => follower.stop(), { once: true });
	await follower.start(request);
	if (!json) {
		const { outputs } = record;
		// whole: there is no link here that would open the rest of a value
		record = { ...record, outputs: null };
		await write(shown(texts.add(record.key, lines.end(Date.now())) + (outputs ? `${JSON.stringify(outputs, undefined, 2)}\n` : '')));
	}
	if (interrupt.signal.aborted) {
		return exitCodes.interrupted;
	}
	if (failure !== undefined) {
		throw failure;
	}
	return codeOf(record);
}

function codeOf({ status }: RunRecord): ExitCode {
	if (status === 'succeeded' || status === 'partial-succeeded') {
		return exitCodes.passed;
	}
	if (status === 'paused') {
		tell('The run waits for a person, who can answer its form in the editor.');
	}
	// what became of a lost run nobody knows: its service went away
	return status === 'lost' ? exitCodes.unreached : exitCodes.checkFailed;
}

async function requestOf(file: string, text: string, service: Service): Promise<WorkflowRunRequest> {
	const scope = { folder: path.dirname(file), root: rootOf(file) };
	const { request, faults } = await readRunFile(text, {
		schema: packageJson<JsonSchema>('media/run.schema.json'),
		connection: service.name,
		builtIn: service.isBuiltIn,
		agents: await agentsOf(service),
		user: defaultUser,
		scope,
		placeholders: placeholders(scope.root),
		upload: (reference, type, owner) => uploaded(service, reference, type, owner, scope),
		t,
	});
	for (const { severity, offset, message } of faults) {
		tell(plain(`${path.relative('', file)}:${text.slice(0, offset).split('\n').length}: ${severity}: ${message}`));
	}
	if (!request) {
		throw new CliFault(`${path.relative('', file)}: nothing was run.`);
	}
	return request;
}

function readText(file: string): string {
	try {
		return fs.readFileSync(file, 'utf8');
	} catch (error) {
		throw new CliFault(`${path.relative('', file)}: cannot be read (${(error as NodeJS.ErrnoException).code}).`);
	}
}

/** Where a run file's `$file` entries may lead: the folder the command runs in, as a workspace; for a file elsewhere, its own. */
function rootOf(file: string): string {
	const folder = process.cwd();
	return file.startsWith(folder + path.sep) ? folder : path.dirname(file);
}

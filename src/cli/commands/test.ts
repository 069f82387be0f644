import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { getHistoryFileName } from '#suites/gate/history.ts';
import { getLabelName } from '#suites/judges/judgeLabels.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import { getSnapshotFile } from '#suites/results/snapshots.ts';
import { ConnectionPace } from '#suites/running/connectionPace.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';
import type { Suite, SuiteFault } from '#suites/suite.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { confirmMatrices, type Matrices, prepareMatrices } from '../batches/matrixStart.ts';
import { ResultFolder } from '../batches/resultFolder.ts';
import { type BatchOptions, runBatches } from '../batches/runBatches.ts';
import { CliFault, type ExitCode, exitCodes, getWorstExitCode } from '../cliFault.ts';
import { getFileRoot } from '../fileRoot.ts';
import { findFiles } from '../foundFiles.ts';
import type { Interrupt } from '../interrupt.ts';
import { printLine } from '../output.ts';
import { readNamedText } from '../readFailure.ts';
import { formatFaultLine } from '../reports/faultLine.ts';
import { formatGithubLine } from '../reports/githubLines.ts';
import { openReports } from '../reports/openReports.ts';
import { closeCommandRecording, isReplayed, openCommandRecording, recordingOptions } from '../service/openCommandRecording.ts';
import { openService, type Service } from '../service/openService.ts';
import { createPlaceholderSource, defaultUser, listServiceAgents, uploadLocalFile } from '../service/requestParts.ts';

const defaultGlob = '**/*.suite.json';

/** `agent-workbench test`: runs suites one after another and writes the results. Rejects with a `CliFault`. */
export async function runTests(given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	const files = findSuiteFiles(given.operands);
	const options = readBatchOptions(given);
	const folder = await ResultFolder.openFolder(given.getValue('data'));
	interrupt.onEnd(() => folder.removeFilesSync());
	try {
		const service = await openService(given, files, interrupt);
		try {
			return await runTestsOnService(service, files, options, { given, interrupt, folder });
		} finally {
			await service.close();
		}
	} finally {
		await folder.close();
	}
}

interface Surroundings {
	readonly given: GivenArguments;
	readonly interrupt: Interrupt;
	readonly folder: ResultFolder;
}

async function runTestsOnService(
	service: Service,
	files: readonly string[],
	options: BatchOptions,
	{ given, interrupt, folder }: Surroundings,
): Promise<ExitCode> {
	const agents = await interrupt.runPreparation(() => listServiceAgents(service));
	const { suites, faults } = await readSuites(files, service, agents);
	showFaults(faults, given);
	const reports = await openReports(given, agents ?? [], suites.flatMap(listSuiteFiles));
	const errors = faults.filter(({ severity }) => severity === 'error');
	await reports.onFaults?.(errors);
	const option = recordingOptions.find(name => given.has(name));
	if (option !== undefined && options.matrix) {
		throw new CliFault(`--${option}: can't be used with --matrix, whose variants would share replies.`);
	}
	if (given.has('recording') && suites.length > 1) {
		throw new CliFault('--recording: use it with one suite. Each suite has a separate recording.');
	}
	const matrices: Matrices = options.matrix
		? await interrupt.runPreparation(() => startMatrices(suites, service, agents, { options, folder, signal: interrupt.signal }))
		: new Map();
	const isReplay = service.isBuiltIn && suites.some(({ file, recordings: settings }) => isReplayed(given, { file, settings }, process.env));
	const code = await runBatches(suites, toSuiteService(service, agents, isReplay), {
		...options,
		...(service.configuration !== undefined && { configuration: service.configuration }),
		reports,
		folder,
		matrices,
		signal: interrupt.signal,
		openRecording: async ({ file, recordings: settings }) =>
			options.matrix ? undefined : openCommandRecording(given, service, { file, settings }, process.env),
		closeRecording: closeCommandRecording,
	});
	await reports.close();
	return getWorstExitCode([code, errors.length > 0 ? exitCodes.fault : exitCodes.passed]);
}

/** Lists the files that a suite is read from, and those that its results are added to. */
function listSuiteFiles({ file, cases, dataset }: Suite): readonly string[] {
	const labels = path.join(path.dirname(file), getLabelName(file));
	return [
		...[file, labels, getSnapshotFile(file), getHistoryFileName(file)],
		...cases.flatMap(({ runFile }) => (runFile === undefined ? [] : [runFile])),
		...(dataset ? [dataset.file] : []),
	];
}

/** Reads the variants and asks whether to run them. */
async function startMatrices(
	suites: readonly Suite[],
	{ client, name, isBuiltIn }: Service,
	agents: readonly AgentSummary[] | undefined,
	{ options, folder, signal }: { readonly options: BatchOptions; readonly folder: ResultFolder; readonly signal: AbortSignal },
): Promise<Matrices> {
	const matrices = await prepareMatrices(suites, { name, agents, isBuiltIn, readPublished: agent => client.getPublishedAgent(agent) });
	const findResults = async (suite: Suite) => [await folder.findLatestResults(suite), options.baseline].filter(file => file !== undefined);
	await confirmMatrices(matrices, options, findResults, signal);
	return matrices;
}

function findSuiteFiles(globs: readonly string[]): string[] {
	const none = globs.find(glob => findFiles([glob], defaultGlob).length === 0);
	if (none !== undefined) {
		throw new CliFault(`test ${none}: no suites found. Expected *.suite.json files, a glob, or a folder with such files.`);
	}
	const files = findFiles(globs.length > 0 ? globs : [defaultGlob], defaultGlob);
	if (files.length === 0) {
		throw new CliFault(`test: no suites found in ${process.cwd()}. Expected *.suite.json files.`);
	}
	return files;
}

function readBatchOptions(given: GivenArguments): BatchOptions {
	const [filter, baseline] = [given.getValue('filter'), given.getValue('baseline')];
	const [concurrency, repeat] = [given.getCount('concurrency'), given.getCount('repeat')];
	const matrix = given.has('matrix');
	const judgeAgain = given.getValue('judge-again');
	const unused = ['matrix', 'update', 'repeat', 'coverage'].find(name => given.has(name));
	if (judgeAgain !== undefined && unused !== undefined) {
		throw new CliFault(`--${unused}: can't be used with --judge-again, which runs no agent.`);
	}
	if (matrix && given.has('update')) {
		throw new CliFault("--update: can't be used with --matrix, because all variants share the snapshots.");
	}
	return {
		matrix,
		yes: given.has('yes'),
		history: given.has('history'),
		...(filter !== undefined && { filter }),
		...(baseline !== undefined && { baseline }),
		...(judgeAgain !== undefined && { judgeAgain }),
		...(concurrency !== undefined && { concurrency }),
		...(repeat !== undefined && { repeat }),
		bail: given.has('bail'),
		update: given.has('update'),
		coverage: given.has('coverage'),
		json: given.has('json'),
	};
}

/** Reads all suites before running the first, so that all problems are reported immediately. */
async function readSuites(
	files: readonly string[],
	{ name, isBuiltIn }: Service,
	agents: readonly AgentSummary[] | undefined,
): Promise<{ readonly suites: readonly Suite[]; readonly faults: readonly SuiteFault[] }> {
	const suites: Suite[] = [];
	const faults: SuiteFault[] = [];
	for (const file of files) {
		const read = await readSuite(readNamedText(file), file, {
			connection: name,
			agents,
			takesMocks: isBuiltIn,
			root: getFileRoot(file),
			t: fillPlaceholders,
		});
		// passing 100,000 problems as arguments would overflow the stack
		for (const fault of read.faults) {
			faults.push(fault);
		}
		if (read.suite) {
			suites.push(read.suite);
		}
	}
	return { suites, faults };
}

function showFaults(faults: readonly SuiteFault[], given: GivenArguments): void {
	for (const fault of faults) {
		printLine(formatFaultLine(fault));
	}
	if (given.has('github') && faults.length > 0) {
		printLine(
			faults
				.map(fault => formatGithubLine({ ...fault, level: fault.severity, title: 'Suite' }))
				.join('')
				.trimEnd(),
		);
	}
}

function toSuiteService(service: Service, agents: readonly AgentSummary[] | undefined, isReplay: boolean): SuiteService {
	return {
		name: service.name,
		client: service.client,
		pace: new ConnectionPace(),
		agents,
		drafts: service.isBuiltIn,
		takesMocks: service.isBuiltIn,
		user: defaultUser,
		placeholders: createPlaceholderSource(process.cwd(), isReplay),
		upload: (reference, scope, type, owner) => uploadLocalFile(service, reference, type, owner, scope),
	};
}

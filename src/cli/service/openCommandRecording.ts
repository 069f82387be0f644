import { existsSync } from 'node:fs';
import path from 'node:path';
import { OutsideScope } from '#base/files/fileScope.ts';
import { type AskedRecordingMode, type RecordingDrift, type RecordingSettings, recordingModes } from '#contract/recordings/recordings.ts';
import { RecordingFormatError } from '#contract/recordings/scanRecording.ts';
import { FileRecording, type RecordingReport } from '#runs/recordings/fileRecording.ts';
import { getSettingsMode, resolveRecordingFile } from '#runs/recordings/recordedFile.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { readPackageJson } from '../assets.ts';
import { CliFault, type ExitCode, exitCodes } from '../cliFault.ts';
import { getFileRoot } from '../fileRoot.ts';
import { printLine, toPlainLine } from '../output.ts';
import type { Service } from './openService.ts';

/** Options about recordings. */
export const recordingOptions = ['record', 'replay', 'drift', 'recording'] as const;

/** A run file or suite, with its settings for recordings. An agent that is run by its name has no file. */
interface RecordedFile {
	readonly file: string | undefined;
	readonly settings: RecordingSettings | undefined;
}

/** True if the options or the environment ask for a replay of this file, so that it needs no keys. */
export function isReplayed(given: GivenArguments, { file, settings }: RecordedFile, environment: NodeJS.ProcessEnv): boolean {
	const recording = findRecordingFile(given, file, settings);
	const mode = recording === undefined ? 'off' : chooseMode(given, settings, recording, environment);
	return mode === 'none' || (mode === 'once' && recording !== undefined && existsSync(recording));
}

/**
 * Opens the recording that the options or the file ask for; undefined if they ask for none. Rejects with a {@link CliFault}.
 */
export async function openCommandRecording(
	given: GivenArguments,
	service: Service,
	{ file, settings }: RecordedFile,
	environment: NodeJS.ProcessEnv,
): Promise<FileRecording | undefined> {
	const option = recordingOptions.find(name => given.has(name));
	if (!service.isBuiltIn) {
		if (option !== undefined) {
			throw new CliFault(`--${option}: can't be used with --base-url. Only the built-in gateway records and replays.`);
		}
		return undefined;
	}
	const recording = findRecordingFile(given, file, settings);
	if (recording === undefined) {
		if (option !== undefined) {
			throw new CliFault(`--${option}: an agent that is run by its name has no recording. Add --recording FILE.`);
		}
		return undefined;
	}
	const mode = chooseMode(given, settings, recording, environment);
	// a suite that calls nothing has no recording, but a file that was named should exist
	if ((mode === 'none' && given.has('recording') && !existsSync(recording)) || (mode === 'drift' && !existsSync(recording))) {
		throw new CliFault(
			given.has('recording')
				? `--recording ${given.getValue('recording')}: the file doesn't exist.`
				: `--drift: ${path.relative('', recording)} doesn't exist. Record it first, with --record.`,
		);
	}
	try {
		const { version } = readPackageJson<{ readonly version: string }>('package.json');
		return await FileRecording.openRecording({
			client: service.client,
			file: recording,
			mode,
			...(mode === 'drift' && { drift: given.getValue('drift') ? given.getCount('drift') : undefined }),
			settings: settings ?? {},
			creator: `agent-workbench ${version}`,
		});
	} catch (error) {
		throw toRecordingFault(error, recording);
	}
}

/** Writes a recording and prints what happened. Returns the exit code. Rejects with a {@link CliFault}. */
export async function closeCommandRecording(recording: FileRecording): Promise<ExitCode> {
	let report: RecordingReport;
	try {
		report = await recording.finish();
	} catch (error) {
		throw toRecordingFault(error, recording.file);
	}
	const { replayed, added, replaced, removed, misses, drift, old } = report;
	const counts = { replayed, added, replaced, removed };
	const changes = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
	printLine(toPlainLine(`Recording ${path.relative('', recording.file)}: ${changes.length > 0 ? changes.join(', ') : 'nothing used'}.`));
	if (old > 0) {
		printLine(`Warning: ${old} replayed ${old === 1 ? 'reply is' : 'replies are'} older than the file allows.`);
	}
	for (const { case: name, row, node, message } of misses) {
		const place = [name, row && `row ${row}`, `node ${node}`].filter(each => each !== undefined);
		printLine(toPlainLine(`${place.join(', ')}: ${message}`));
	}
	const drifted = recording.mode === 'drift' && printDrift(drift) ? exitCodes.checkFailed : exitCodes.passed;
	return misses.length > 0 ? exitCodes.fault : drifted;
}

/** Prints the replies that differ from live ones. Returns true if there are any. */
function printDrift(drift: readonly RecordingDrift[]): boolean {
	const counts = (['same', 'changed', 'failed'] as const).map(name => `${drift.filter(({ outcome }) => outcome === name).length} ${name}`);
	printLine(`Drift: ${counts.join(', ')}.`);
	const differing = drift.filter(({ outcome }) => outcome !== 'same');
	for (const { case: name, row, node, line, outcome, message } of differing) {
		const place = [name, row && `row ${row}`, `node ${node}`, `line ${line}`].filter(each => each !== undefined);
		printLine(toPlainLine(`${place.join(', ')}: ${outcome}. ${message}`));
	}
	return differing.length > 0;
}

function findRecordingFile(given: GivenArguments, file: string | undefined, settings: RecordingSettings | undefined): string | undefined {
	const named = given.getValue('recording');
	if (named !== undefined) {
		return path.resolve(named);
	}
	if (file === undefined) {
		return undefined;
	}
	const scope = { folder: path.dirname(file), root: getFileRoot(file) };
	try {
		return resolveRecordingFile(file, settings, scope);
	} catch (error) {
		throw error instanceof OutsideScope
			? new CliFault(`${path.relative('', file)}: the recording must be inside the folder ${toPlainLine(scope.root)}.`)
			: error;
	}
}

function chooseMode(
	given: GivenArguments,
	settings: RecordingSettings | undefined,
	recording: string,
	environment: NodeJS.ProcessEnv,
): AskedRecordingMode {
	const record = given.getValue('record');
	if (given.has('drift')) {
		if (record !== undefined || given.has('replay')) {
			throw new CliFault('--drift: use only one of --record, --replay and --drift.');
		}
		return 'drift';
	}
	if (given.has('replay')) {
		if (record !== undefined) {
			throw new CliFault('--replay: use either --record or --replay.');
		}
		return 'none';
	}
	if (record !== undefined) {
		return readRecordMode(record);
	}
	const mode = getSettingsMode(settings) ?? (given.has('recording') ? 'once' : undefined);
	const isCi = environment['CI'] !== undefined && environment['CI'] !== '' && environment['CI'] !== 'false';
	return mode !== 'off' && isCi && existsSync(recording) ? 'none' : (mode ?? 'off');
}

function readRecordMode(text: string): AskedRecordingMode {
	const mode = recordingModes.slice(0, 3).find(each => each === (text || 'once'));
	if (mode === undefined) {
		throw new CliFault(`--record=${text}: expected once, new or all.`);
	}
	return mode;
}

function toRecordingFault(error: unknown, file: string): unknown {
	const { name, message, reason } = error as { readonly name?: string; readonly message?: string; readonly reason?: unknown };
	const isFault =
		error instanceof RecordingFormatError ||
		name === 'FileWriteError' ||
		reason === 'invalid-request' ||
		(error instanceof Error && 'syscall' in error);
	return isFault ? new CliFault(`${path.relative('', file)}: ${message}`, exitCodes.fault, error) : error;
}

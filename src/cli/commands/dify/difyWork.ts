import path from 'node:path';
import type { DifyManagement } from '#client/dify/management.ts';
import type { AppDifference } from '#dify/content/differenceTypes.ts';
import { formatDifferenceLines, formatDifferenceSummary } from '#dify/content/formatDifference.ts';
import { type AppFile, findSidecar, readAppFile } from '#dify/files/appFile.ts';
import type { ImportEffect } from '#dify/importEffects.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import type { Backup, Backups } from '#dify/syncTypes.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault, type ExitCode, getExitCode, getWorstExitCode } from '../../cliFault.ts';
import { toJsonLine, toPlainLine } from '../../output.ts';

/** Everything that a Dify command works with. */
export interface DifyWork {
	readonly given: GivenArguments;
	/** Absolute paths of the agent files. */
	readonly files: readonly string[];
	/** Opens a workspace with the token's account. Default: the account's current workspace. Cached by workspace. */
	open(workspaceId: string | undefined): Promise<DifyManagement>;
	readonly backups: Backups;
	readonly signal: AbortSignal;
	/** Writes to standard output. */
	write(text: string): Promise<void>;
}

/** The result for one file. */
export interface FileResult {
	readonly file: string;
	/** Machine-readable result, such as `pushed` or `changed-there`. */
	readonly result: string;
	readonly code: ExitCode;
	/** One or more sentences. */
	readonly message: string;
	readonly difference?: AppDifference | undefined;
	/** Further messages, one sentence each. */
	readonly notes?: readonly string[];
	/** Backups of overwritten texts. */
	readonly backups?: readonly (Backup | undefined)[];
}

/** Returns descriptions of the effects of a push that lose something or reach users immediately. */
export function getWarnings(effects: readonly ImportEffect[]): readonly string[] {
	return effects.filter(({ severity }) => severity === 'warning').map(({ text }) => text);
}

/** Prints the result for a file, as text or as one JSON object. */
export async function printResult({ given, write }: DifyWork, result: FileResult): Promise<void> {
	const kept = (result.backups ?? []).flatMap(backup => backup?.file ?? []);
	const { file, message, difference, notes = [] } = result;
	if (given.has('json')) {
		const summary = difference && formatDifferenceSummary(difference);
		await write(toJsonLine({ file, result: result.result, message, summary, difference, notes, backups: kept }));
		return;
	}
	const lines = [
		`${path.relative('', file)}: ${message}`,
		...(difference ? formatDifferenceLines(difference).map(line => `  ${line}`) : []),
		...notes.map(note => `  ! ${note}`),
		...kept.map(each => `  backup: ${each}`),
	];
	await write(lines.map(line => `${toPlainLine(line)}\n`).join(''));
}

/**
 * Processes files one by one and prints the results. An error that affects one file doesn't stop the others. An error that would affect all
 * of them (account, network) does.
 */
export async function processFiles(work: DifyWork, act: (file: string) => Promise<FileResult>): Promise<ExitCode> {
	const codes: ExitCode[] = [];
	for (const file of work.files) {
		const result = await act(file).catch((error: unknown) => toFailedResult(work, file, error));
		await printResult(work, result);
		codes.push(result.code);
	}
	return getWorstExitCode(codes);
}

function toFailedResult({ files, signal }: DifyWork, file: string, error: unknown): FileResult {
	const { name, reason, message } = error as Error & { readonly reason?: unknown };
	const isOfFile =
		name === 'SyncFault' || name === 'CliFault' || (name === 'ServiceError' && ['not-found', 'invalid-request'].includes(String(reason)));
	if (files.length === 1 || signal.aborted || !isOfFile) {
		throw error;
	}
	return { file, result: 'failed', message, code: getExitCode(error) };
}

/**
 * Reads an existing agent file and its link.
 * @throws {CliFault} if either doesn't exist
 */
export async function readLinkedFile(file: string): Promise<{ readonly text: string; readonly link: DifyLink }> {
	const { text, link } = await readFile(file);
	if (text === undefined) {
		throw new CliFault(`${path.relative('', file)}: no such file.`);
	}
	if (!link) {
		const sidecar = path.relative('', await findSidecar(file));
		throw new CliFault(`${path.relative('', file)}: not linked to a Dify app. Expected ${sidecar}, which a pull with --app creates.`);
	}
	return { text, link: link.link };
}

/** Reads an agent file and its sidecar. Error messages name them relative to the working folder. */
export function readFile(file: string): Promise<AppFile> {
	return readAppFile(path.relative('', file) || file);
}

import path from 'node:path';
import type { DifyManagement } from '#client/dify/management.ts';
import type { AppDifference } from '#dify/content/differenceTypes.ts';
import { differenceLines, differenceSummary } from '#dify/content/differenceWords.ts';
import { type AppFile, readAppFile, sidecarOf } from '#dify/files/appFile.ts';
import type { ImportEffect } from '#dify/importEffects.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import type { Backup, Backups } from '#dify/syncTypes.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault, type ExitCode, exitCodeOf, worstOf } from '../../cliFault.ts';
import { jsonLine, plain } from '../../output.ts';

/** What the commands on apps of Dify work with. */
export interface DifyWork {
	readonly given: GivenArguments;
	/** Absolute paths of the agent files that are meant. */
	readonly files: readonly string[];
	/** As the account of the token, in a workspace; the account's own current one where none is named. The same for the same workspace. */
	open(workspaceId: string | undefined): Promise<DifyManagement>;
	readonly backups: Backups;
	readonly signal: AbortSignal;
	/** Writes to standard output. */
	write(text: string): Promise<void>;
}

/** What came of one file. */
export interface FileResult {
	readonly file: string;
	/** One word for programs, as in `pushed` or `changed-there`. */
	readonly result: string;
	readonly code: ExitCode;
	/** A sentence, or a few. */
	readonly message: string;
	readonly difference?: AppDifference | undefined;
	/** What else there is to say, a sentence each. */
	readonly notes?: readonly string[];
	/** Texts that were kept before they were overwritten. */
	readonly backups?: readonly (Backup | undefined)[];
}

/** What a push loses there, or changes for users at once, a sentence each. */
export function warningsOf(effects: readonly ImportEffect[]): readonly string[] {
	return effects.filter(({ severity }) => severity === 'warning').map(({ text }) => text);
}

/** Says what came of a file: its sentence, what differs node by node, what there is to know; or one JSON object. */
export async function report({ given, write }: DifyWork, result: FileResult): Promise<void> {
	const kept = (result.backups ?? []).flatMap(backup => backup?.file ?? []);
	const { file, message, difference, notes = [] } = result;
	if (given.has('json')) {
		const summary = difference && differenceSummary(difference);
		await write(jsonLine({ file, result: result.result, message, summary, difference, notes, backups: kept }));
		return;
	}
	const lines = [
		`${path.relative('', file)}: ${message}`,
		...(difference ? differenceLines(difference).map(line => `  ${line}`) : []),
		...notes.map(note => `  ! ${note}`),
		...kept.map(each => `  backup: ${each}`),
	];
	await write(lines.map(line => `${plain(line)}\n`).join(''));
}

/**
 * Does something with each file, one after another, and says what came of it. What is wrong with one of several holds up no other; what
 * would go wrong with each of them (the account, the network) ends it.
 */
export async function eachFile(work: DifyWork, act: (file: string) => Promise<FileResult>): Promise<ExitCode> {
	const codes: ExitCode[] = [];
	for (const file of work.files) {
		const result = await act(file).catch((error: unknown) => failedOf(work, file, error));
		await report(work, result);
		codes.push(result.code);
	}
	return worstOf(codes);
}

function failedOf({ files, signal }: DifyWork, file: string, error: unknown): FileResult {
	const { name, reason, message } = error as Error & { readonly reason?: unknown };
	const isOfFile =
		name === 'SyncFault' || name === 'CliFault' || (name === 'ServiceError' && ['not-found', 'invalid-request'].includes(String(reason)));
	if (files.length === 1 || signal.aborted || !isOfFile) {
		throw error;
	}
	return { file, result: 'failed', message, code: exitCodeOf(error) };
}

/** An agent file that is there, with its link. @throws {CliFault} where one of them is not */
export async function linkedFile(file: string): Promise<{ readonly text: string; readonly link: DifyLink }> {
	const { text, link } = await readFile(file);
	if (text === undefined) {
		throw new CliFault(`${path.relative('', file)}: no such file.`);
	}
	if (!link) {
		const sidecar = path.relative('', await sidecarOf(file));
		throw new CliFault(`${path.relative('', file)}: not linked to a Dify app. Expected ${sidecar}, which a pull with --app creates.`);
	}
	return { text, link: link.link };
}

/** An agent file and its sidecar, named as the user sees them in faults. */
export function readFile(file: string): Promise<AppFile> {
	return readAppFile(path.relative('', file) || file);
}

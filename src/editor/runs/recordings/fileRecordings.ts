import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { OutsideScope } from '#base/files/fileScope.ts';
import { getErrorMessage, Problem } from '#base/problems.ts';
import type { AskedRecordingMode, RecordingMode, RecordingPlace, RecordingSettings } from '#contract/recordings/recordings.ts';
import { FileRecording, type LeftRecording, type RecordingReport } from '#runs/recordings/fileRecording.ts';
import { getSettingsMode, readRecordingSettings, resolveRecordingFile } from '#runs/recordings/recordedFile.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { runInBackground } from '../../platform/background.ts';
import { getFileScope } from '../../platform/fileScopes.ts';
import { createUntrustedProblem, isWorkspaceTrusted } from '../../platform/trust.ts';
import { escapeLinks } from '../../platform/wording.ts';

import { createMissingProblem, formatReport, showDrift, toRecordingProblem } from './recordingMessages.ts';

interface FileRecordingsParts {
	readonly connections: Pick<Connections, 'getClient'>;
	readonly memory: vscode.Memento;
	readonly log: vscode.LogOutputChannel;
}

/** A run file or suite whose runs are recorded or replayed. */
interface RecordedFile {
	readonly uri: vscode.Uri;
	readonly settings: RecordingSettings | undefined;
	readonly connection: Pick<Connection, 'id' | 'kind' | 'name'>;
	/** Case of a suite, if only one is run. */
	readonly place?: RecordingPlace;
}

/** A recording that an earlier window may have left, by its ID. Plain data. */
type LeftRecordings = Readonly<Record<string, LeftRecording & { readonly connectionId: string }>>;

const memoryKey = 'openRecordings';

/** Opens the recordings of run files and suites, and writes them once their runs have ended, even if the window was reloaded meanwhile. */
export class FileRecordings extends DisposableBase {
	readonly #finished = this.register(new vscode.EventEmitter<void>());
	/** Fires when a recording was closed, and written if something was recorded. */
	readonly onDidFinish = this.#finished.event;
	readonly #parts: FileRecordingsParts;
	readonly #open = new Map<string, { readonly recording: FileRecording } & Pick<RecordedFile, 'uri' | 'place'>>();
	readonly #finishing = new Map<string, Promise<RecordingReport | undefined>>();

	constructor(parts: FileRecordingsParts) {
		super();
		this.#parts = parts;
	}

	/**
	 * Opens the recording that a command, the file or the setting asks for; `undefined` if none does.
	 * @throws {Problem} in an untrusted workspace, for other services than the built-in gateway, and if the recording can't be used
	 */
	async openRecording({ uri, settings, connection, place }: RecordedFile, asked?: AskedRecordingMode): Promise<FileRecording | undefined> {
		const configuration = vscode.workspace.getConfiguration('agentWorkbench.recordings', uri);
		const mode = asked ?? getSettingsMode(settings) ?? configuration.get<RecordingMode>('mode', 'off');
		const isGiven = asked !== undefined || settings !== undefined;
		if (mode === 'off' || (connection.kind !== 'built-in' && !isGiven)) {
			return undefined;
		}
		if (!isWorkspaceTrusted()) {
			throw createUntrustedProblem(vscode.l10n.t('Recordings can only be used in a trusted workspace.'));
		}
		if (connection.kind !== 'built-in') {
			throw new Problem(
				'not-built-in',
				vscode.l10n.t("'{0}' doesn't support recordings. Only the built-in gateway records and replays.", connection.name),
			);
		}
		const file = this.findRecordingFile(uri, settings);
		if ((mode === 'none' || mode === 'drift') && asked !== undefined && !existsSync(file)) {
			throw createMissingProblem(uri);
		}
		const client = await this.#parts.connections.getClient(connection.id);
		const expires = configuration.get<string>('expires', '');
		let recording: FileRecording | undefined;
		try {
			const defaults = expires === '' ? {} : { expires };
			recording = await FileRecording.openRecording({ client, file, mode, settings: { ...defaults, ...settings }, creator: getCreator() });
		} catch (error) {
			throw toRecordingProblem(error, file);
		}
		if (recording) {
			this.#open.set(recording.id, { recording, uri, ...(place && { place }) });
			await this.#saveLeft({ ...this.#readLeft(), [recording.id]: { ...recording.getLeft(), connectionId: connection.id } });
		}
		return recording;
	}

	/** Calls a function, and closes the recording if that fails before a run has used it. */
	async closeOnError<T>(recording: FileRecording | undefined, prepare: () => Promise<T>): Promise<T> {
		try {
			return await prepare();
		} catch (error) {
			if (recording) {
				await this.finishRecording(recording.id, false);
			}
			throw error;
		}
	}

	/** Asks what to record if a recording exists. Resolves to `undefined` if the user cancels. @param given mode that a command asks for */
	async chooseRecordMode(uri: vscode.Uri, settings: RecordingSettings | undefined, given: unknown): Promise<'new' | 'all' | undefined> {
		if (given === 'new' || given === 'all' || !existsSync(this.findRecordingFile(uri, settings))) {
			return given === 'all' ? 'all' : 'new';
		}
		const picked = await vscode.window.showQuickPick(
			[
				{ label: vscode.l10n.t("Record what's missing"), detail: vscode.l10n.t('Replays the other replies'), mode: 'new' as const },
				{
					label: vscode.l10n.t('Record everything again'),
					detail: vscode.l10n.t('Removes replies that are no longer used'),
					mode: 'all' as const,
				},
			],
			{ title: vscode.l10n.t("Record '{0}'", path.posix.basename(uri.path)) },
		);
		return picked?.mode;
	}

	/** Opens the recording of a run file or suite in the editor. Throws a {@link Problem} if it doesn't exist. */
	async showRecording(document: vscode.TextDocument): Promise<void> {
		const file = this.findExistingFile(document.uri, document.getText());
		if (file === undefined) {
			throw createMissingProblem(document.uri);
		}
		await vscode.window.showTextDocument(vscode.Uri.file(file));
	}

	/** Returns the path of the recording of a file with this text; `undefined` if there is none. */
	findExistingFile(uri: vscode.Uri, text: string): string | undefined {
		try {
			const file = this.findRecordingFile(uri, readRecordingSettings(text));
			return existsSync(file) ? file : undefined;
		} catch {
			return undefined;
		}
	}

	/** Returns the path of the recording of a run file or suite. Throws a {@link Problem} if it would be outside the workspace folder. */
	findRecordingFile(uri: vscode.Uri, settings: RecordingSettings | undefined): string {
		const scope = getFileScope(uri);
		try {
			return resolveRecordingFile(uri.fsPath, settings, scope);
		} catch (error) {
			if (error instanceof OutsideScope) {
				const name = vscode.workspace.asRelativePath(uri);
				throw new Problem('outside-workspace', vscode.l10n.t("The recording of '{0}' must be inside '{1}'.", name, scope.root));
			}
			throw error;
		}
	}

	/**
	 * Writes a recording, once, and shows what happened. Resolves to `undefined` if that failed, after showing the error.
	 * @param isComplete true if its run wasn't stopped, so that the mode `all` removes what the run no longer uses
	 */
	finishRecording(id: string, isComplete: boolean): Promise<RecordingReport | undefined> {
		const known = this.#finishing.get(id) ?? this.#finish(id, isComplete);
		this.#finishing.set(id, known);
		return known;
	}

	/** Writes recordings that an earlier window opened, except those whose runs continue, which write them when they end. */
	finishLeftRecordings(isInUse: (id: string) => boolean): void {
		for (const id of Object.keys(this.#readLeft())) {
			if (!isInUse(id)) {
				runInBackground(this.finishRecording(id, false), this.#parts.log, 'Recordings');
			}
		}
	}

	async #finish(id: string, isComplete: boolean): Promise<RecordingReport | undefined> {
		const left = this.#readLeft()[id];
		const opened = this.#open.get(id);
		this.#open.delete(id);
		try {
			const recording = opened?.recording ?? (left && (await this.#resume(id, left)));
			if (opened?.place && isComplete) {
				opened.recording.completePlace(opened.place);
			}
			const report = await recording?.finish();
			if (opened && report && opened.recording.mode === 'drift') {
				runInBackground(showDrift(opened.uri, opened.recording.file, report), this.#parts.log, 'Recordings');
			} else if (recording && report) {
				vscode.window.setStatusBarMessage(formatReport(recording.file, report), 8000);
			}
			return report;
		} catch (error) {
			const message = getErrorMessage(left ? toRecordingProblem(error, left.file) : error);
			this.#parts.log.error(message);
			// the gateway has closed a recording that was left for too long
			if (opened) {
				void vscode.window.showErrorMessage(escapeLinks(message));
			}
			return undefined;
		} finally {
			const { [id]: _, ...others } = this.#readLeft();
			await this.#saveLeft(others);
			this.#finished.fire();
		}
	}

	async #resume(id: string, { connectionId, ...left }: LeftRecordings[string]): Promise<FileRecording> {
		const client = await this.#parts.connections.getClient(connectionId, { ask: false });
		return FileRecording.resumeRecording({ client, id, creator: getCreator(), ...left });
	}

	#readLeft(): LeftRecordings {
		return this.#parts.memory.get<LeftRecordings>(memoryKey, {});
	}

	async #saveLeft(left: LeftRecordings): Promise<void> {
		await this.#parts.memory.update(memoryKey, left);
	}
}

/** Returns the name and version of the program that writes the file. */
function getCreator(): string {
	const { packageJSON } = vscode.extensions.getExtension('agent-workbench.agent-workbench') ?? {};
	return `agent-workbench ${(packageJSON as { readonly version?: string } | undefined)?.version ?? ''}`.trim();
}

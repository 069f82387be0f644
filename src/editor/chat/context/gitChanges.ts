import * as vscode from 'vscode';
import { getErrorMessage, Problem } from '#base/problems.ts';

/** The parts of the Git extension's API (version 1) that are used. */
interface GitExtension {
	/** Throws if Git is turned off in the settings or isn't installed. */
	getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** A repository of the Git extension. */
export interface GitRepository {
	readonly rootUri: vscode.Uri;
	readonly state: {
		readonly workingTreeChanges: readonly GitChange[];
		readonly untrackedChanges?: readonly GitChange[];
	};
	/** Reads the state again. */
	status(): Promise<void>;
	/** Returns the changes as a diff: staged ones if `cached` is true, otherwise the others. */
	diff(cached?: boolean): Promise<string>;
}

interface GitChange {
	readonly uri: vscode.Uri;
	readonly status: number;
}

/** `Status.UNTRACKED` of the API. */
const untracked = 7;

/** Returns the uncommitted changes of the workspace's repositories. Throws a {@link Problem} if there are none or Git isn't available. */
export async function readChanges(): Promise<string> {
	const texts = (await Promise.all((await listRepositories()).map(formatChanges))).filter(text => text !== '');
	if (texts.length === 0) {
		throw new Problem('attachment', vscode.l10n.t('There are no uncommitted changes.'));
	}
	return texts.join('\n\n');
}

async function listRepositories(): Promise<readonly GitRepository[]> {
	const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
	if (!extension) {
		throw new Problem('attachment', vscode.l10n.t("Changes can't be attached, because VS Code's Git extension is disabled."));
	}
	let repositories: readonly GitRepository[];
	try {
		({ repositories } = (await extension.activate()).getAPI(1));
	} catch (error) {
		throw new Problem('attachment', vscode.l10n.t("Changes can't be attached, because Git isn't available: {0}", getErrorMessage(error)));
	}
	if (repositories.length === 0) {
		throw new Problem('attachment', vscode.l10n.t('This workspace has no Git repository.'));
	}
	return repositories;
}

/** Formats the changes of a repository: staged, not staged, and the names of new files. */
export async function formatChanges(repository: GitRepository): Promise<string> {
	await repository.status();
	const [staged, unstaged] = await Promise.all([repository.diff(true), repository.diff(false)]);
	const { workingTreeChanges, untrackedChanges = [] } = repository.state;
	const all = [...workingTreeChanges, ...untrackedChanges].filter(({ status }) => status === untracked);
	const added = [...new Set(all.map(({ uri }) => vscode.workspace.asRelativePath(uri)))];
	return [
		...(staged.trim() ? [`# Staged\n${staged.trimEnd()}`] : []),
		...(unstaged.trim() ? [`# Not staged\n${unstaged.trimEnd()}`] : []),
		...(added.length > 0 ? [`# New files\n${added.join('\n')}`] : []),
	].join('\n\n');
}

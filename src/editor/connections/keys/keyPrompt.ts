import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { getErrorMessage, getErrorReason } from '#base/problems.ts';
import { type KeyGroup, listKeyGroups, type ServiceKind } from '#contract/serviceKinds.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { isUnencrypted } from '../baseUrl.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import { testEndpointGroups, testTimeoutMs } from '../connectionTest.ts';
import { getKeyGroupLabel, getKindFacts } from '../kindFacts.ts';
import { recognizeKind } from '../kindRecognition.ts';
import type { ServiceClients } from '../serviceClients.ts';
import type { KeyPlace, KeyStore, Keys, SetKeys } from './keyStore.ts';

interface TypedKey extends SetKeys {
	readonly key: string;
}

interface WrongKeys {
	readonly message: string;
	readonly sure: boolean;
	readonly other?: ServiceKind;
}

/** Asks for keys in password inputs, tests them with the service, and saves them. */
export class KeyPrompt {
	readonly #keys: KeyStore;
	readonly #clients: ServiceClients;

	constructor(keys: KeyStore, clients: ServiceClients) {
		this.#keys = keys;
		this.#clients = clients;
	}

	/** Asks for the keys of a connection. Resolves to `undefined` if the user cancels. */
	askForKeys(entry: ConnectionEntry): Promise<SetKeys | undefined> {
		return this.#keys.shareOpenPrompt(entry.id, () => this.#askForGroups(entry));
	}

	async #askForGroups(entry: ConnectionEntry): Promise<SetKeys | undefined> {
		const groups = await this.#chooseGroups(entry);
		if (!groups) {
			return undefined;
		}
		const answers: Partial<Record<KeyGroup, string>> = { ...(await this.#keys.get(entry)) };
		let isOfOtherKind = false;
		for (const together of groups) {
			const typed = await this.#showKeyInput(entry, together, groups.length > 1);
			if (!typed) {
				return undefined;
			}
			for (const group of together) {
				answers[group] = typed.key;
			}
			isOfOtherKind ||= typed.isOfOtherKind;
		}
		await this.saveKeys(entry, answers, isOfOtherKind);
		return { isOfOtherKind };
	}

	/** Saves keys. Warns if the keyring failed. If `isOfOtherKind` is true, tests the connection, which offers to change its kind. */
	async saveKeys(entry: ConnectionEntry, keys: Keys, isOfOtherKind = false): Promise<void> {
		warnUnlessInKeyring(entry, await this.#keys.set(entry, keys));
		if (isOfOtherKind) {
			// don't wait for this test, because callers need only the key
			void vscode.commands.executeCommand('agentWorkbench.connection.test' satisfies CommandId, entry.id);
		}
	}

	/**
	 * Tests keys with the service. Resolves to the problem, if any. `sure`: the service refused the keys. `other`: it's of this other kind.
	 */
	async testKeys(entry: ConnectionEntry, keys: Keys): Promise<WrongKeys | undefined> {
		const client = await this.#clients.createClient({ baseUrl: entry.baseUrl, kind: entry.kind, keys });
		const signal = AbortSignal.timeout(testTimeoutMs);
		try {
			const results = await testEndpointGroups(client, entry, keys, signal);
			const failed = results.find(result => result.kind === 'failed');
			if (!failed) {
				return undefined;
			}
			if (getErrorReason(failed.error) !== 'auth') {
				return { sure: false, message: getErrorMessage(failed.error) };
			}
			const isAccepted = results.some(({ kind }) => kind === 'accepted');
			const other = isAccepted ? undefined : await recognizeKind(this.#clients, entry, keys, signal);
			return other
				? { sure: false, other, message: formatOtherKindMessage(entry, other) }
				: { sure: true, message: vscode.l10n.t("'{0}' refused this key.", entry.name) };
		} finally {
			void client.close();
		}
	}

	/** Asks which endpoint groups share a key, if the service has several. */
	async #chooseGroups(entry: ConnectionEntry): Promise<KeyGroup[][] | undefined> {
		const all = [...listKeyGroups(entry.kind)];
		if (all.length < 2) {
			return [all];
		}
		const together = { label: vscode.l10n.t('Same key for all'), description: all.map(getKeyGroupLabel).join(', '), groups: [all] };
		const each = { label: vscode.l10n.t('Separate keys'), description: '', groups: all.map(group => [group]) };
		const single = all.map(group => ({
			label: vscode.l10n.t({
				message: 'Only for: {0}',
				args: [getKeyGroupLabel(group)],
				comment: ["{0} is what a key is for, such as 'Agents and conversations'"],
			}),
			description: '',
			groups: [[group]],
		}));
		const choice = await vscode.window.showQuickPick([together, each, ...single], {
			title: vscode.l10n.t("Keys for '{0}'", entry.name),
			placeHolder: vscode.l10n.t('Select what the key is for'),
		});
		return choice?.groups;
	}

	#showKeyInput(entry: ConnectionEntry, groups: readonly KeyGroup[], named: boolean): Promise<TypedKey | undefined> {
		const input = vscode.window.createInputBox();
		input.title = named
			? vscode.l10n.t({
					message: "Key for '{0}': {1}",
					args: [entry.name, groups.map(getKeyGroupLabel).join(', ')],
					comment: ['{0} is the name of a connection, {1} is what the key is for'],
				})
			: vscode.l10n.t("Key for '{0}'", entry.name);
		input.prompt = escapeLinks(
			isUnencrypted(entry.baseUrl)
				? vscode.l10n.t('Sent to {0} without encryption. Saved in the system keyring.', entry.baseUrl)
				: vscode.l10n.t('Sent only to {0}. Saved in the system keyring.', entry.baseUrl),
		);
		input.password = true;
		input.ignoreFocusOut = true;
		const { promise, resolve } = Promise.withResolvers<TypedKey | undefined>();
		let unchecked: TypedKey | undefined;
		input.onDidChangeValue(() => {
			input.validationMessage = undefined;
		});
		input.onDidAccept(async () => {
			const key = input.value.trim();
			if (key === '' || input.busy) {
				return;
			}
			if (key === unchecked?.key) {
				resolve(unchecked);
				return;
			}
			input.busy = true;
			const wrong = await this.testKeys(entry, Object.fromEntries(groups.map(group => [group, key])))
				// if no client could be created, the key may still be valid
				.catch((error: unknown): WrongKeys => ({ message: getErrorMessage(error), sure: false }))
				.finally(() => {
					input.busy = false;
				});
			if (!wrong) {
				resolve({ key, isOfOtherKind: false });
				return;
			}
			unchecked = wrong.sure ? undefined : { key, isOfOtherKind: wrong.other !== undefined };
			input.validationMessage = {
				severity: wrong.sure ? vscode.InputBoxValidationSeverity.Error : vscode.InputBoxValidationSeverity.Warning,
				message: escapeLinks(
					wrong.sure || wrong.other
						? wrong.message
						: vscode.l10n.t({
								message: '{0} Press Enter again to save the key unchecked.',
								args: [wrong.message],
								comment: ['{0} is a sentence that says why the key could not be checked'],
							}),
				),
			};
		});
		input.onDidHide(() => resolve(undefined));
		input.show();
		return promise.finally(() => input.dispose());
	}
}

function formatOtherKindMessage({ name, kind }: ConnectionEntry, other: ServiceKind): string {
	const kinds = getKindFacts();
	return vscode.l10n.t(
		"'{0}' is set up as '{1}', but accepts this key as '{2}'. Press Enter again to save the key. You can then change the kind.",
		name,
		kinds[kind].label,
		kinds[other].label,
	);
}

function warnUnlessInKeyring(entry: ConnectionEntry, place: KeyPlace): void {
	if (place.kind === 'session') {
		const message = vscode.l10n.t(
			"Couldn't save the key for '{0}' in the system keyring ({1}). It's kept until this window closes.",
			entry.name,
			place.cause,
		);
		void vscode.window.showWarningMessage(escapeLinks(message));
	}
}

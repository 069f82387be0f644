import * as vscode from 'vscode';
import { messageOf, reasonOf } from '../../common/problems.ts';
import { withoutLinks } from '../../common/wording.ts';
import { isUnencrypted } from '../baseUrl.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import { testGroups, testTimeoutMs } from '../connectionTest.ts';
import { groupLabel } from '../kindFacts.ts';
import { groupsOf, type KeyGroup } from '../kinds.ts';
import type { ServiceClients } from '../serviceClients.ts';
import type { KeyPlace, KeyStore, Keys } from './keyStore.ts';

/** Asks for keys by password inputs, checks them against the service, and keeps them. */
export class KeyPrompt {
	readonly #keys: KeyStore;
	readonly #clients: ServiceClients;

	constructor(keys: KeyStore, clients: ServiceClients) {
		this.#keys = keys;
		this.#clients = clients;
	}

	/** Asks for the keys of a connection. Resolves to whether some were set; false when the user backs out. */
	ask(entry: ConnectionEntry): Promise<boolean> {
		return this.#keys.whileAsked(entry.id, () => this.#ask(entry));
	}

	async #ask(entry: ConnectionEntry): Promise<boolean> {
		const groups = await this.#chooseGroups(entry);
		if (!groups) {
			return false;
		}
		const answers: Partial<Record<KeyGroup, string>> = { ...(await this.#keys.get(entry)) };
		for (const together of groups) {
			const key = await this.#askOne(entry, together, groups.length > 1);
			if (key === undefined) {
				return false;
			}
			for (const group of together) {
				answers[group] = key;
			}
		}
		await this.keep(entry, answers);
		return true;
	}

	/** Keeps keys, and says so where they could not go into the keyring. */
	async keep(entry: ConnectionEntry, keys: Keys): Promise<void> {
		tellPlace(entry, await this.#keys.set(entry, keys));
	}

	/** Checks keys against the service. Resolves to what is wrong with them; `sure` if the service itself refused them. */
	async check(entry: ConnectionEntry, keys: Keys): Promise<{ message: string; sure: boolean } | undefined> {
		const client = await this.#clients.create({ baseUrl: entry.baseUrl, kind: entry.kind, keys });
		try {
			const results = await testGroups(client, entry, keys, AbortSignal.timeout(testTimeoutMs));
			const failed = results.find(result => result.kind === 'failed');
			if (!failed) {
				return undefined;
			}
			const sure = reasonOf(failed.error) === 'auth';
			return { sure, message: sure ? vscode.l10n.t('“{0}” refused this key.', entry.name) : messageOf(failed.error) };
		} finally {
			void client.close();
		}
	}

	/** Groups that get a key together: all with one, or one each. */
	async #chooseGroups(entry: ConnectionEntry): Promise<KeyGroup[][] | undefined> {
		const all = [...groupsOf(entry.kind)];
		if (all.length < 2) {
			return [all];
		}
		const together = { label: vscode.l10n.t('The same key for all'), description: all.map(groupLabel).join(', '), groups: [all] };
		const each = { label: vscode.l10n.t('One key each'), description: '', groups: all.map(group => [group]) };
		const single = all.map(group => ({ label: vscode.l10n.t('Only: {0}', groupLabel(group)), description: '', groups: [[group]] }));
		const choice = await vscode.window.showQuickPick([together, each, ...single], {
			title: vscode.l10n.t('Keys of “{0}”', entry.name),
			placeHolder: vscode.l10n.t('What the key is for'),
		});
		return choice?.groups;
	}

	#askOne(entry: ConnectionEntry, groups: readonly KeyGroup[], named: boolean): Promise<string | undefined> {
		const input = vscode.window.createInputBox();
		input.title = named
			? vscode.l10n.t('Key of “{0}”: {1}', entry.name, groups.map(groupLabel).join(', '))
			: vscode.l10n.t('Key of “{0}”', entry.name);
		input.prompt = withoutLinks(
			isUnencrypted(entry.baseUrl)
				? vscode.l10n.t('Sent to {0} without encryption. Kept in the system’s keyring.', entry.baseUrl)
				: vscode.l10n.t('Sent to {0} alone. Kept in the system’s keyring.', entry.baseUrl),
		);
		input.password = true;
		input.ignoreFocusOut = true;
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		let unchecked: string | undefined;
		input.onDidChangeValue(() => {
			input.validationMessage = undefined;
		});
		input.onDidAccept(async () => {
			const key = input.value.trim();
			if (key === '' || input.busy) {
				return;
			}
			if (key === unchecked) {
				resolve(key);
				return;
			}
			input.busy = true;
			const wrong = await this.check(entry, Object.fromEntries(groups.map(group => [group, key])))
				// a client that cannot even be made says nothing about the key
				.catch((error: unknown) => ({ message: messageOf(error), sure: false }))
				.finally(() => {
					input.busy = false;
				});
			if (!wrong) {
				resolve(key);
				return;
			}
			unchecked = wrong.sure ? undefined : key;
			input.validationMessage = {
				severity: wrong.sure ? vscode.InputBoxValidationSeverity.Error : vscode.InputBoxValidationSeverity.Warning,
				message: withoutLinks(
					wrong.sure ? wrong.message : vscode.l10n.t('{0} Press Enter again to keep the key unchecked.', wrong.message),
				),
			};
		});
		input.onDidHide(() => resolve(undefined));
		input.show();
		return promise.finally(() => input.dispose());
	}
}

function tellPlace(entry: ConnectionEntry, place: KeyPlace): void {
	if (place.kind === 'session') {
		const sentence = vscode.l10n.t(
			'The system’s keyring did not take the key of “{0}” ({1}). It is kept until this window closes.',
			entry.name,
			place.cause,
		);
		void vscode.window.showWarningMessage(withoutLinks(sentence));
	}
}

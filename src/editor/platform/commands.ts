import * as vscode from 'vscode';
import type { CommandHandlers, CommandId } from '#base/commandIds.ts';
import { getRemedy, isCancellation } from '#base/problems.ts';
import { translateError } from './translateError.ts';
import { escapeLinks } from './wording.ts';

/** Runs a command. Its result is returned to the caller of `executeCommand`. */
type CommandHandler<A extends unknown[]> = (...args: A) => unknown;

/**
 * Registers commands. A failure is logged and shown with its remedy and *Show log*. A cancellation isn't shown. In both cases, code that
 * executes the command gets `undefined`.
 */
export class CommandRegistrar {
	readonly #log: vscode.LogOutputChannel;

	constructor(log: vscode.LogOutputChannel) {
		this.#log = log;
	}

	register<A extends unknown[]>(id: CommandId, handler: CommandHandler<A>): vscode.Disposable {
		return vscode.commands.registerCommand(id, async (...args: A) => {
			this.#log.debug(`Command ${id}`);
			try {
				return await handler(...args);
			} catch (error) {
				if (isCancellation(error)) {
					this.#log.debug(`Command ${id} was canceled`);
					return undefined;
				}
				void this.showError(error, id);
				return undefined;
			}
		});
	}

	/** Registers all commands of a feature. Loads their handlers when the first command runs. */
	registerAll(ids: readonly CommandId[], load: () => Promise<{ readonly handlers: CommandHandlers }>): vscode.Disposable {
		const registered = ids.map(id =>
			this.register(id, async (argument?: unknown, selected?: unknown) => (await load()).handlers[id]?.(argument, selected)),
		);
		return vscode.Disposable.from(...registered);
	}

	/** Logs an error and shows its message with its remedy and *Show log*. `where` names the failed operation in the log. */
	async showError(error: unknown, where: string): Promise<void> {
		this.#log.error(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
		const remedy = getRemedy(error);
		const showLog = vscode.l10n.t('Show log');
		const choice = await vscode.window.showErrorMessage(escapeLinks(translateError(error)), ...(remedy ? [remedy.title] : []), showLog);
		if (choice === showLog) {
			this.#log.show(true);
		} else if (remedy && choice === remedy.title) {
			await vscode.commands.executeCommand(remedy.command, ...(remedy.arguments ?? []));
		}
	}
}

import * as vscode from 'vscode';
import type { FromInspector, FromInspectorHost } from '#pages/inspector/inspectorMessages.ts';

type Message<T extends FromInspectorHost['type']> = Extract<FromInspectorHost, { type: T }>;

/** An inspector panel whose page is the test. */
export class PlayedPanel {
	readonly messages: FromInspectorHost[] = [];
	readonly #received = new vscode.EventEmitter<unknown>();
	readonly #posted = new vscode.EventEmitter<FromInspectorHost>();
	readonly #disposed = new vscode.EventEmitter<void>();
	readonly #state = new vscode.EventEmitter<void>();
	title = '';
	visible = true;
	active = true;
	revealed = 0;
	iconPath: unknown;
	/** Delays the delivery of messages, as in a busy editor. */
	busy: Promise<void> | undefined;
	readonly webview = {
		options: {},
		html: '',
		cspSource: 'https://webview.test',
		asWebviewUri: (uri: vscode.Uri) => uri,
		onDidReceiveMessage: this.#received.event,
		postMessage: async (message: FromInspectorHost) => {
			// messages are copied, as between two processes
			const copy = structuredClone(message);
			this.messages.push(copy);
			this.#posted.fire(copy);
			await this.busy;
			return true;
		},
	};
	readonly onDidDispose = this.#disposed.event;
	readonly onDidChangeViewState = this.#state.event;

	get panel(): vscode.WebviewPanel {
		return this as unknown as vscode.WebviewPanel;
	}

	sendFromPage(message: FromInspector | object): void {
		this.#received.fire(message);
	}

	reveal(): void {
		this.revealed++;
		this.active = true;
	}

	hidePanel(): void {
		this.visible = false;
		this.#state.fire();
	}

	closePanel(): void {
		this.#disposed.fire();
	}

	/** Resolves with the next message of a type that matches. */
	waitForMessage<T extends FromInspectorHost['type']>(type: T, wanted: (message: Message<T>) => boolean = () => true): Promise<Message<T>> {
		return new Promise(resolve => {
			const listener = this.#posted.event(message => {
				if (message.type === type && wanted(message as Message<T>)) {
					listener.dispose();
					resolve(message as Message<T>);
				}
			});
		});
	}

	/** Reports that the page is ready and returns the snapshot. */
	requestSnapshot(): Promise<Message<'snapshot'>> {
		const snapshot = this.waitForMessage('snapshot');
		this.sendFromPage({ type: 'ready' });
		return snapshot;
	}
}

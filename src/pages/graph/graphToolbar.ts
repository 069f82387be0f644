import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { getStatusIconClasses } from '../shared/statusIcon.ts';
import type { GraphActions } from './gestures/graphActions.ts';
import type { FromGraph, FromGraphHost, ShownRun } from './picture/graphProtocol.ts';
import type { GraphStrings } from './picture/graphStrings.ts';

type Begun = Extract<FromGraphHost, { type: 'begin' }>;

export interface ToolbarParts {
	readonly actions: GraphActions;
	/** The run that is shown. */
	readonly run: ShownRun | undefined;
	/** True if the file is still empty. */
	readonly empty: boolean;
	readonly find: unknown;
	post(message: FromGraph): void;
	undo(type: 'undo' | 'redo'): void;
	/** True if a node is selected. */
	readonly hasNode: boolean;
}

/** Renders the toolbar of a graph. */
export function renderGraphToolbar({ strings, editable: isWritable, undoKeys }: Begun, parts: ToolbarParts): unknown {
	const { actions, run, empty, find, post, undo, hasNode } = parts;
	const editable = isWritable && !empty;
	return html`<header class="toolbar" role="toolbar" aria-label=${strings.edit}>
			${
				editable
					? html`${renderRunButton('play', strings.run, `${strings.runAgent} (Ctrl+F5)`, () => post({ type: 'onAgent', action: 'run' }))}
			${renderRunButton('debug-alt', strings.debug, `${strings.debugAgent} (F5)`, () => post({ type: 'onAgent', action: 'debug' }))}
			${run?.live ? renderIconButton('debug-stop', strings.stopRun, () => post({ type: 'onAgent', action: 'stop' }), run.status === 'stopping') : nothing}
			${renderIconButton('play-circle', `${strings.runNode} (R)`, () => actions.actOnSelected('run'), !hasNode)}
			<span class="separator"></span>
			${renderIconButton('add', strings.add, () => actions.addNodeAfterSelected())}
			${renderIconButton('layout', strings.arrange, () => actions.requestEdit({ do: 'arrange' }))}
			${undoKeys ? [renderIconButton('discard', strings.undo, () => undo('undo')), renderIconButton('redo', strings.redo, () => undo('redo'))] : nothing}`
					: nothing
			}
			${find}
			<span class="grow"></span>
			${run ? renderShownRun(run, strings, post) : renderIconButton('history', strings.runs, () => post({ type: 'pickRun' }))}
			${renderIconButton('ellipsis', strings.more, event => actions.openMoreMenu(getPointBelow(event)))}
		</header>`;
}

function renderRunButton(icon: string, label: string, tip: string, act: () => void): unknown {
	return html`<button type="button" class="runButton" title=${tip} aria-label=${tip} @click=${act}><span class="codicon codicon-${icon}" aria-hidden="true"></span><span class="runLabel" aria-hidden="true">${label}</span></button>`;
}

function renderShownRun({ label, status }: ShownRun, strings: GraphStrings, post: ToolbarParts['post']): unknown {
	return html`<button type="button" class="runWords" title=${strings.runs} @click=${() => post({ type: 'pickRun' })}><span class=${getStatusIconClasses(status)} aria-hidden="true"></span><span class="runId">${label}</span> <span>${getOwnField(strings.statuses, status) ?? status}</span><span class="codicon codicon-chevron-down" aria-hidden="true"></span></button>
		${renderIconButton('list-tree', strings.inspectRun, () => post({ type: 'inspectRun' }))}${renderIconButton('close', strings.leaveRun, () => post({ type: 'leaveRun' }))}`;
}

function getPointBelow({ currentTarget }: Event): { readonly x: number; readonly y: number } {
	const { right, bottom } = (currentTarget as Element).getBoundingClientRect();
	return { x: right, y: bottom };
}

/** Renders the choices for an empty file. */
export function renderEmptyFile({ strings, editable, file }: Begun, actions: GraphActions): unknown {
	const name = file.replace(/\.ya?ml$/, '');
	const renderButton = (mode: 'workflow' | 'advanced-chat', label: string, help: string) =>
		html`<button type="button" aria-describedby="help-${mode}" @click=${() => actions.requestEdit({ do: 'begin', mode, name })}>${label}</button><p class="dim" id="help-${mode}">${help}</p>`;
	return html`<section class="beginning"><h2>${strings.emptyFile}</h2>
			${editable ? html`<p>${strings.beginWith}</p>${renderButton('workflow', strings.workflow, strings.workflowHelp)}${renderButton('advanced-chat', strings.chatflow, strings.chatflowHelp)}` : nothing}</section>`;
}

/** Renders the banners above the graph: why it is outdated, and why an edit was refused. */
export function renderBanners(stale: string | undefined, refused: string | undefined, { dismiss }: GraphStrings, act: () => void): unknown {
	const renderIcon = (name: string) => html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
	return html`${stale === undefined ? nothing : html`<p class="stale" role="status">${renderIcon('warning')}${stale}</p>`}
		${refused === undefined ? nothing : html`<p class="refused" role="alert">${renderIcon('error')}<span class="grow">${refused}</span>${renderIconButton('close', dismiss, act)}</p>`}`;
}

function renderIconButton(icon: string, label: string, act: (event: Event) => void, isDisabled = false): unknown {
	return html`<button type="button" class="iconButton" title=${label} aria-label=${label} ?disabled=${isDisabled} @click=${act}><span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`;
}

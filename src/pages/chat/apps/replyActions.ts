import { html, nothing } from 'lit';
import type { Rating } from '#contract/dify/appFeatures.ts';
import type { AppOffers, FromPanel } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import { isReplyFrom } from '../transcript/replyOrigin.ts';
import type { ReplyFacts, Turn } from '../transcript/transcript.ts';

interface AppActionsContext {
	readonly turn: Turn;
	readonly strings: PanelStrings;
	/** Features of the app that the chat talks to. */
	readonly app: AppOffers | undefined;
	/** True while the service is generating the audio. */
	readonly speaking: boolean;
	post(message: FromPanel): void;
	/** Opens an annotation for this reply. */
	annotate(): void;
	speak(): void;
}

/** True if the reply is from the app that the chat talks to and has a message ID. */
function isReplyFromApp({ reply }: Turn, app: AppOffers | undefined): boolean {
	return app !== undefined && reply?.messageId !== undefined && isReplyFrom(reply, app.connection) && reply.model === app.model;
}

/** Renders the buttons for replies of Dify apps. */
export function renderAppActions(context: AppActionsContext): unknown {
	const { turn, strings, app, speaking, annotate, speak } = context;
	if (!app || !isReplyFromApp(turn, app) || turn.reply?.status === 'streaming') {
		return nothing;
	}
	const renderButton = (icon: string, label: string, run: () => void, disabled = false) =>
		html`<button type="button" class="iconButton codicon codicon-${icon}" title=${label} aria-label=${label} ?disabled=${disabled} @click=${run}></button>`;
	return [
		app.speaks
			? renderButton(
					speaking ? 'loading codicon-modifier-spin' : 'unmute',
					speaking ? strings.readingAloud : strings.readAloud,
					speak,
					speaking,
				)
			: nothing,
		app.annotates ? renderButton('bookmark', strings.annotate, annotate) : nothing,
		renderRatingButton('like', context),
		renderRatingButton('dislike', context),
	];
}

function renderRatingButton(rating: Rating, { turn, strings, post }: AppActionsContext): unknown {
	const isGiven = turn.reply?.feedback?.rating === rating;
	const label = strings[rating];
	const icon = `${rating === 'like' ? 'thumbsup' : 'thumbsdown'}${isGiven ? '-filled' : ''}`;
	const onPress = () => post({ type: 'rate', turn: turn.id, rating: isGiven ? null : rating });
	return html`<button type="button" class="iconButton codicon codicon-${icon}" title=${label} aria-label=${label} aria-pressed=${isGiven ? 'true' : 'false'} @click=${onPress}></button>`;
}

/** Renders the comment of a rated reply, with a button to edit it. */
export function renderFeedback(turn: Turn, { feedback }: ReplyFacts, strings: PanelStrings, post: (message: FromPanel) => void): unknown {
	if (!feedback) {
		return nothing;
	}
	const { comment } = feedback;
	const link = html`<button type="button" class="linkButton" @click=${() => post({ type: 'comment', turn: turn.id })}>${comment ? strings.changeComment : strings.comment}</button>`;
	const icon = feedback.rating === 'like' ? 'thumbsup' : 'thumbsdown';
	return html`<p class="feedback"><span class="codicon codicon-${icon}" aria-hidden="true"></span>${comment ? html`<span dir="auto">${comment}</span> ` : nothing}${link}</p>`;
}

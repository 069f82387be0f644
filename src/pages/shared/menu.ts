import { html, nothing } from 'lit';

/** A button that opens a menu. */
interface MenuButton {
	/** Element ID of the menu. */
	readonly id: string;
	readonly label: string;
	/** Codicon of the button. */
	readonly icon: string;
	/** True to show the label; otherwise it's the tooltip of the icon. */
	readonly isLabeled?: boolean;
	readonly disabled?: boolean;
	readonly title?: string;
	/** -1 if the button isn't a tab stop, because another element opens it. */
	readonly tabIndex?: -1;
	readonly items: readonly MenuItem[];
}

interface MenuItem {
	readonly icon: string;
	readonly label: string;
	act(): void;
}

/**
 * Renders a button with its menu. Arrow keys, Home, End and first letters move between the items; Escape closes the menu and returns the
 * focus to the button.
 */
export function renderMenuButton({
	id,
	label,
	icon,
	isLabeled = false,
	disabled = false,
	title = label,
	tabIndex,
	items,
}: MenuButton): unknown {
	return html`<button
			type="button"
			class=${isLabeled ? 'wordButton' : 'iconButton'}
			title=${title}
			aria-label=${label}
			aria-haspopup="menu"
			tabindex=${tabIndex ?? nothing}
			?disabled=${disabled}
			popovertarget=${id}
		><span class="codicon codicon-${icon}" aria-hidden="true"></span>${isLabeled ? html`${label}<span class="codicon codicon-chevron-down" aria-hidden="true"></span>` : nothing}</button><div
			popover
			id=${id}
			class="menu"
			role="menu"
			aria-label=${label}
			@beforetoggle=${(event: ToggleEvent) => event.newState === 'open' && placeMenu(event.currentTarget as HTMLElement)}
			@keydown=${handleMenuKey}
		>${items.map(
			// focused with `autofocus`, because the toggle event comes later than a quick second key
			(item, at) => html`<button
				type="button"
				role="menuitem"
				tabindex="-1"
				?autofocus=${at === 0}
				@click=${(event: MouseEvent) => {
					(event.currentTarget as HTMLElement).closest<HTMLElement>('[popover]')?.hidePopover();
					item.act();
				}}
			><span class="codicon codicon-${item.icon}" aria-hidden="true"></span>${item.label}</button>`,
		)}</div>`;
}

function getItems(menu: HTMLElement): readonly HTMLElement[] {
	return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

/** Places a menu below its button, aligned with the side of the button that is nearer to the middle of the page. */
function placeMenu(menu: HTMLElement): void {
	const button = menu.previousElementSibling?.getBoundingClientRect();
	if (button) {
		const isAtEnd = button.left + button.right > window.innerWidth;
		menu.style.top = `${button.bottom + 2}px`;
		menu.style.left = isAtEnd ? 'auto' : `${button.left}px`;
		menu.style.right = isAtEnd ? `${window.innerWidth - button.right}px` : 'auto';
	}
}

function handleMenuKey(event: KeyboardEvent): void {
	const menu = event.currentTarget as HTMLElement;
	const items = getItems(menu);
	const place = items.indexOf(document.activeElement as HTMLElement);
	if (event.key === 'Tab') {
		menu.hidePopover();
		return;
	}
	const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1 }[event.key];
	const isLetter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
	const next =
		to === undefined
			? [...items.slice(place + 1), ...items].find(
					item => isLetter && item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()),
				)
			: items.at(to % items.length);
	if (next) {
		event.preventDefault();
		next.focus();
	}
}

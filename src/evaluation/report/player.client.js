// One player per spoken turn: a button, a waveform to click into, the time. Clips are decoded when first played.
import { el } from './page.client.js';
import { toWav } from './wav.client.js';

/* global decodeImaAdpcm -- of src/audio, put into the page before this script */

/** The clip that sounds now; only one does at a time. */
let playing = null;

function clipOf(sha256) {
  const block = document.getElementById(`clip-${sha256}`);
  if (block === null) return null;
  return {
    block,
    sampleRateHz: Number(block.dataset.rate),
    samples: Number(block.dataset.samples),
    bars: block.dataset.bars ?? '',
    href: block.dataset.href ?? null,
  };
}

function wavOfClip(clip) {
  const text = atob(clip.block.textContent.trim());
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return toWav(decodeImaAdpcm(bytes, clip.samples), clip.sampleRateHz);
}

/** The address an audio element can play: the decoded clip, or the file beside the page when it was too much to embed. */
function sourceOf(clip) {
  if (clip.href !== null) return clip.href;
  clip.url ??= URL.createObjectURL(new Blob([wavOfClip(clip)], { type: 'audio/wav' }));
  return clip.url;
}

function formatSeconds(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

function drawWaveform(digits) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${digits.length * 3} 24`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', 'waveform');
  svg.setAttribute('aria-hidden', 'true');
  [...digits].forEach((digit, i) => {
    const height = 2 + (Number.parseInt(digit, 36) / 35) * 20;
    const bar = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    for (const [name, value] of [
      ['x', i * 3],
      ['y', 12 - height / 2],
      ['width', 2],
      ['height', height],
      ['rx', 1],
    ])
      bar.setAttribute(name, String(value));
    svg.append(bar);
  });
  return svg;
}

/** @returns the player's element, with `play()` that resolves when the clip has ended or was stopped. */
export function createPlayer(sha256, durationMs, label) {
  const clip = clipOf(sha256);
  if (clip === null) return el('p', { class: 'no-audio' }, 'the clip is not in this page');
  const audio = new Audio();
  audio.preload = 'none';
  const button = el('button', { type: 'button', class: 'play', 'aria-label': `Play ${label}` });
  const waveform = drawWaveform(clip.bars);
  const bars = [...waveform.children];
  const time = el('span', { class: 'time' }, formatSeconds(durationMs / 1000));
  const player = el('div', { class: 'player' }, button, waveform, time);
  const seconds = durationMs / 1000;

  const show = () => {
    const share = seconds === 0 ? 0 : audio.currentTime / seconds;
    bars.forEach((bar, i) => {
      bar.classList.toggle('heard', i < share * bars.length);
    });
    const idle = audio.paused && audio.currentTime === 0;
    time.textContent = formatSeconds(idle ? seconds : audio.currentTime);
    player.classList.toggle('on', !audio.paused);
    button.setAttribute('aria-label', `${audio.paused ? 'Play' : 'Pause'} ${label}`);
  };
  const start = async () => {
    if (playing !== null && playing !== audio) playing.pause();
    playing = audio;
    try {
      if (audio.src === '') audio.src = sourceOf(clip);
      await audio.play();
    } catch (error) {
      if (error.name === 'AbortError') return;
      time.textContent =
        clip.href === null
          ? `cannot play: ${error.message}`
          : `cannot play ${clip.href}; is the run folder beside this page?`;
    }
  };
  const seek = (target) => {
    if (audio.src === '') audio.src = sourceOf(clip);
    audio.currentTime = Math.max(0, Math.min(seconds, target));
    show();
  };
  button.addEventListener('click', () => (audio.paused ? start() : audio.pause()));
  button.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      event.preventDefault();
      seek(audio.currentTime + (event.key === 'ArrowRight' ? 1 : -1));
    }
  });
  waveform.addEventListener('click', (event) => {
    const box = waveform.getBoundingClientRect();
    seek(((event.clientX - box.left) / box.width) * seconds);
    void start();
  });
  for (const event of ['timeupdate', 'play', 'pause', 'seeked']) audio.addEventListener(event, show);
  audio.addEventListener('ended', () => {
    audio.currentTime = 0;
    show();
  });
  player.play = () =>
    new Promise((resolve) => {
      audio.addEventListener('ended', () => resolve(true), { once: true });
      audio.addEventListener('pause', () => resolve(audio.ended), { once: true });
      void start();
    });
  return player;
}

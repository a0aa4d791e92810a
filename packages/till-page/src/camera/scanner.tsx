import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useTill } from '../context';
import type { WordKey } from '../language';
import { loadDecoder } from './decoder';
import { createOnce } from './once';

/** Between two looks: quick enough for a hand, slow enough for a battery. */
const LOOK_MS = 120;

/**
 * The camera, looking for a card. It is stopped when the page is hidden or left, and tells of a code once: whatever
 * lies before it longer is not asked about again until it was away.
 */
export function Scanner({ onFound }: { onFound: (code: string) => void }): VNode {
  const { say } = useTill().language;
  const video = useRef<HTMLVideoElement | null>(null);
  const [trouble, setTrouble] = useState<WordKey | null>(null);
  const [isHidden, setHidden] = useState(document.hidden);

  useEffect(() => {
    const follow = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, []);
  useEffect(() => {
    if (isHidden) return;
    const looking = { isOn: true };
    look(video.current!, looking, onFound).catch((error: unknown) => {
      if (looking.isOn) setTrouble(wordFor(error));
    });
    return () => {
      looking.isOn = false;
    };
  }, [isHidden]);

  return (
    <div class="camera">
      <video ref={video} playsInline muted aria-label={say('scan.camera')} hidden={!!trouble} />
      {trouble && (
        <p class="notice" role="status">
          {say(trouble)}
        </p>
      )}
    </div>
  );
}

async function look(
  video: HTMLVideoElement,
  looking: { isOn: boolean },
  onFound: (code: string) => void,
): Promise<void> {
  if (!navigator.mediaDevices) throw new DOMException('no camera', 'NotSupportedError');
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment' },
  });
  try {
    const decode = await loadDecoder();
    if (!looking.isOn) return;
    video.srcObject = stream;
    await video.play();
    const canvas = document.createElement('canvas');
    const pen = canvas.getContext('2d', { willReadFrequently: true })!;
    const isNews = createOnce();
    while (looking.isOn) {
      if (video.videoWidth > 0) {
        canvas.width = video.videoWidth;
        canvas.height = video.videoHeight;
        pen.drawImage(video, 0, 0);
        const code = await decode(pen.getImageData(0, 0, canvas.width, canvas.height));
        if (looking.isOn && isNews(code, performance.now()) && code !== null) {
          // Browsers complain about a buzz before anybody has touched the page.
          if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60);
          onFound(code);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

function wordFor(error: unknown): WordKey {
  const { name } = error as { name?: string };
  return name === 'NotAllowedError' ? 'scan.denied' : 'scan.noCamera';
}

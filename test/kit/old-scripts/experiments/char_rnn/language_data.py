def names():
    with open('setup/data/English.txt', encoding='utf-8') as file:
        return file.read().split()
